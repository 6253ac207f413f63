import { deepStrictEqual } from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { ACTION_KINDS } from '../../domain/members/activity.ts';
import type { ActingMember } from '../../domain/members/member.ts';
import { expectOutcome } from './model/expect-outcome.ts';
import { expectView } from './model/expect-view.ts';
import { groupNamed } from './model/groups.ts';
import { learnAccounts, learnIdentities, learnMade } from './model/learn.ts';
import { NOTHING, type State, workspacesOf } from './model/state.ts';
import { EMAILS_TO_LOOK_FOR, GROUPS_TO_LOOK_FOR } from './operations/client-choices.ts';
import type { StepChoice } from './operations/every-operation.ts';
import { PASSWORDS } from './operations/members.ts';
import { accountAt, memberActing } from './operations/operation.ts';
import type { Deed, Made, Outcome, Request } from './requests.ts';
import type { TwoProcesses } from './two-processes.ts';
import type { Look, View, WorkspaceLook } from './view.ts';

/** Where time begins in every run. */
const START = Date.parse('2026-01-31T09:30:00.000Z');

/** How often each thing was done, and how often refused. */
export type Tally = Map<Deed, { done: number; refused: number }>;

/** One database, two processes of the product on it, and the model of what it should hold. */
export class Run {
  readonly #processes: TwoProcesses;
  readonly #tally: Tally;
  #state: State = structuredClone(NOTHING);
  #now = START;
  #steps = 0;

  constructor(processes: TwoProcesses, tally: Tally) {
    this.#processes = processes;
    this.#tally = tally;
  }

  /** Two accounts with two environments each: the first by the set-up link, the second by the operator. */
  async begin(): Promise<void> {
    const [password = ''] = PASSWORDS;
    await this.#doOne(0, { do: 'offer set-up', at: this.#now });
    const { setUpToken: token } = this.#state;
    const [first, second] = ['owner@first.example', 'owner@second.example'];
    await this.#doOne(1, { do: 'set up', at: this.#now, token, name: 'First', email: first, password });
    await this.#doOne(0, { do: 'create account', at: this.#now, name: 'Second', email: second, password });
    await this.#compareAll([this.#state], 10);
    await this.#letSomebodyJoin(password);
  }

  async #letSomebodyJoin(password: string): Promise<void> {
    const account = accountAt(this.#state, 0);
    const actor = memberActing(account, 0) as ActingMember;
    await this.#doOne(1, { do: 'invite member', at: ++this.#now, actor, email: 'ann@team.example', role: 'admin' });
    const token = account.invitations[0]?.token ?? '';
    await this.#doOne(0, { do: 'accept invitation', at: ++this.#now, token, password });
    await this.#compareAll([this.#state], 10);
  }

  /** False when there was nothing to do it to. */
  async step({ process, operation, meanwhile, passesMs, pageLimit }: StepChoice): Promise<boolean> {
    this.#now += passesMs;
    const other = process === 0 ? 1 : 0;
    const versions = new Map(workspacesOf(this.#state).map((workspace) => [workspace.id, workspace.version]));
    const requests = operation.requests(this.#state, this.#now);
    // A moment later by its own clock, so that what it did can be told apart.
    const others = meanwhile?.requests(this.#state, this.#now + 1) ?? [];
    if (requests.length + others.length === 0) return false;
    this.#steps++;
    let candidates = [this.#state];
    const [one, another] = [requests[0], others[0]];
    if (requests.length === 1 && others.length === 1 && one && another && isOneChange(one) && isOneChange(another)) {
      candidates = await this.#doBoth(process, one, another);
    } else {
      for (const [index, request] of requests.entries()) await this.#doOne(index % 2 === 0 ? process : other, request);
      for (const request of others) await this.#doOne(other, request);
    }
    this.#now++;
    const named = [...requests, ...others].flatMap((request) => ('workspaceId' in request ? request.workspaceId : []));
    const changed = workspacesOf(candidates[0] as State).filter(({ id, version }) => versions.get(id) !== version);
    await this.#compareAll(candidates, pageLimit, [...named, ...changed.map(({ id }) => id)]);
    return true;
  }

  /** Everything once more, and the data against itself. */
  async end(): Promise<void> {
    const everywhere = workspacesOf(this.#state).map(({ id }) => id);
    await this.#compareAll([this.#state], 4, everywhere);
    const { problems } = await this.#processes.all[0].ask('examine', null);
    deepStrictEqual(problems, []);
  }

  async #doOne(process: 0 | 1, request: Request): Promise<void> {
    const expected = expectOutcome(this.#state, request);
    const { outcome, made } = await this.#processes.all[process].ask('perform', request);
    same(`what process ${process} said to ${request.do}`, outcome, expected);
    learnMade(this.#state, request, made);
    this.#count(request, outcome);
    await this.#learnAccounts(this.#state);
  }

  /** Whichever comes first, the other finds what it left. Returns what there may be now: one order may be as good as the other. */
  async #doBoth(process: 0 | 1, one: Request, another: Request): Promise<State[]> {
    const asked = [one, another].map((request, index) =>
      this.#processes.all[index === 0 ? process : 1 - process]?.ask('perform', request),
    );
    await Promise.allSettled(asked);
    const [answer, otherAnswer] = (await Promise.all(asked)) as [Performed, Performed];
    this.#count(one, answer.outcome);
    this.#count(another, otherAnswer.outcome);
    const inOrder = inSequence(this.#state, [one, answer], [another, otherAnswer]);
    const reversed = inSequence(this.#state, [another, otherAnswer], [one, answer]);
    const candidates = [inOrder, reversed].filter((each) => each.fits).map((each) => each.state);
    if (candidates.length === 0) {
      const said = { one, another, said: [answer.outcome, otherAnswer.outcome] };
      same(`what was said to ${one.do} and ${another.do} at once, in either order`, said, {
        ...said,
        said: inOrder.expected,
      });
    }
    for (const state of candidates) await this.#learnAccounts(state);
    return candidates;
  }

  async #learnAccounts(state: State): Promise<void> {
    if (state.accounts.every((account) => account.id !== 0)) return;
    learnAccounts(state, await this.#processes.all[0].ask('listAccounts', null));
  }

  /** Both processes show what one of the candidates says, and it is the same one. */
  async #compareAll(candidates: readonly State[], pageLimit: number, thorough: readonly number[] = []): Promise<void> {
    const looks = [0, 1].map((process) => this.#lookFor(candidates[0] as State, process, pageLimit, thorough));
    const views = await Promise.all(
      this.#processes.all.map((process, index) => process.ask('look', looks[index] as Look)),
    );
    const failures: unknown[] = [];
    for (const state of candidates) {
      try {
        for (const [process, look] of looks.entries()) {
          const seen = views[process] as View;
          if (process === 0) learnIdentities(state, seen, look);
          compareViews(`process ${process}`, seen, expectView(state, look));
        }
        this.#state = state;
        return;
      } catch (error) {
        failures.push(error);
      }
    }
    throw failures[0];
  }

  /** By turns, one process goes by page numbers and the other by cursors. */
  #lookFor(state: State, process: number, pageLimit: number, thorough: readonly number[]): Look {
    const workspaces = workspacesOf(state).map(
      (workspace): WorkspaceLook => ({
        workspaceId: workspace.id,
        thorough: thorough.includes(workspace.id),
        groupNames: GROUPS_TO_LOOK_FOR.filter((name) => groupNamed(workspace, name)),
        strangers: GROUPS_TO_LOOK_FOR.filter((name) => !groupNamed(workspace, name)),
        emails: EMAILS_TO_LOOK_FOR,
        erased: workspace.erased.map((client) => client.referenceId),
        pageLimit,
        walk: (this.#steps + process) % 2 === 0 ? 'by number' : 'by cursor',
      }),
    );
    const accountIds = state.accounts.map((account) => account.id);
    const activityKind = ACTION_KINDS[this.#steps % ACTION_KINDS.length] ?? 'client';
    return { at: this.#now, accountIds, activityKind, workspaces };
  }

  #count(request: Request, outcome: Outcome): void {
    const counts = this.#tally.get(request.do) ?? { done: 0, refused: 0 };
    counts['done' in outcome ? 'done' : 'refused']++;
    this.#tally.set(request.do, counts);
  }
}

interface Performed {
  outcome: Outcome;
  made: Made;
}

/** What is one change comes before another or after it; what takes several may be interrupted. */
function isOneChange(request: Request): boolean {
  if (request.do === 'import clients') return !request.dryRun && request.rows.length <= request.rowsAtOnce;
  return request.do !== 'add sample';
}

/** What there would be if the requests had come in this order, and whether the answers say so. */
function inSequence(before: State, ...performed: [Request, Performed][]) {
  const state = structuredClone(before);
  const expected: Outcome[] = [];
  for (const [request, { made }] of performed) {
    expected.push(expectOutcome(state, request));
    learnMade(state, request, made);
  }
  const fits = performed.every(([, { outcome }], index) => isDeepStrictEqual(outcome, expected[index]));
  return { state, expected, fits };
}

function compareViews(who: string, seen: View, expected: View): void {
  same(`the accounts that ${who} shows`, seen.accounts, expected.accounts);
  same(`the signing keys that ${who} shows`, seen.signingKeys, expected.signingKeys);
  for (const [index, account] of expected.insides.entries()) {
    for (const part of Object.keys(account) as (keyof typeof account)[]) {
      same(`${part} of ${account.name} that ${who} shows`, seen.insides[index]?.[part], account[part]);
    }
  }
  for (const [index, { details, ...workspace }] of expected.workspaces.entries()) {
    const { details: seenDetails, ...rest } = seen.workspaces[index] as View['workspaces'][number];
    same(`the totals of workspace ${index} that ${who} shows`, rest, workspace);
    for (const part of Object.keys(details ?? {}) as (keyof NonNullable<typeof details>)[]) {
      same(`${part} of workspace ${index} that ${who} shows`, seenDetails?.[part], details?.[part]);
    }
  }
}

/** Says which of the many comparisons has failed. */
function same(what: string, seen: unknown, expected: unknown): void {
  try {
    deepStrictEqual(seen, expected);
  } catch (error) {
    throw new Error(`Not as it should be: ${what}.\n${(error as Error).message}`);
  }
}
