import { deepStrictEqual } from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { ACTION_KINDS } from '../../domain/members/activity.ts';
import type { ActingMember } from '../../domain/members/member.ts';
import { expectOutcome } from './model/expect-outcome.ts';
import { expectView } from './model/expect-view.ts';
import { groupNamed } from './model/groups.ts';
import { learnAccounts, learnIdentities, learnSecrets } from './model/learn.ts';
import { EMPTY_STATE, type State, workspacesOf } from './model/state.ts';
import { EMAILS_TO_LOOK_FOR, GROUPS_TO_LOOK_FOR } from './operations/client-choices.ts';
import type { StepChoice } from './operations/every-operation.ts';
import { MERGED_AT_ONCE } from './operations/groups.ts';
import { PASSWORDS } from './operations/members.ts';
import { accountAt, memberActing } from './operations/operation.ts';
import type { CallerSecrets, Outcome, Request, RequestKind } from './requests.ts';
import type { TwoProcesses } from './two-processes.ts';
import type { View, ViewQuery, WorkspaceQuery } from './view.ts';

/** The time at the start of every run. */
const START = Date.parse('2026-01-31T09:30:00.000Z');

/** How often each kind of request was done, and how often refused. */
export type Tally = Map<RequestKind, { done: number; refused: number }>;

/** One database, two processes of the product that use it, and the model of the expected data. */
export class Run {
  readonly #processes: TwoProcesses;
  readonly #tally: Tally;
  #state: State = structuredClone(EMPTY_STATE);
  #now = START;
  #steps = 0;

  constructor(processes: TwoProcesses, tally: Tally) {
    this.#processes = processes;
    this.#tally = tally;
  }

  /** Creates two accounts: the first with the set-up link, the second by the operator. */
  async begin(): Promise<void> {
    const [password = ''] = PASSWORDS;
    await this.#doOne(0, { kind: 'create set-up link', at: this.#now });
    const { setUpToken: token } = this.#state;
    const [first, second] = ['owner@first.example', 'owner@second.example'];
    await this.#doOne(1, { kind: 'set up', at: this.#now, token, name: 'First', email: first, password });
    await this.#doOne(0, { kind: 'create account', at: this.#now, name: 'Second', email: second, password });
    await this.#compareAll([this.#state], 10);
    await this.#letSomebodyJoin(password);
  }

  async #letSomebodyJoin(password: string): Promise<void> {
    const account = accountAt(this.#state, 0);
    const actor = memberActing(account, 0) as ActingMember;
    await this.#doOne(1, { kind: 'invite member', at: ++this.#now, actor, email: 'ann@team.example', role: 'admin' });
    const token = account.invitations[0]?.token ?? '';
    await this.#doOne(0, { kind: 'accept invitation', at: ++this.#now, token, password });
    await this.#compareAll([this.#state], 10);
  }

  /** Returns false if the operation could not be applied to anything. */
  async step({ process, operation, meanwhile, passesMs, pageLimit }: StepChoice): Promise<boolean> {
    this.#now += passesMs;
    const other = process === 0 ? 1 : 0;
    const versions = new Map(workspacesOf(this.#state).map((workspace) => [workspace.id, workspace.version]));
    const requests = operation.requests(this.#state, this.#now);
    // One millisecond later, so that its effects can be told apart.
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

  /** Compares everything once more and checks that the data is consistent. */
  async end(): Promise<void> {
    const everywhere = workspacesOf(this.#state).map(({ id }) => id);
    await this.#compareAll([this.#state], 4, everywhere);
    const { problems } = await this.#processes.all[0].ask('checkConsistency', null);
    deepStrictEqual(problems, []);
  }

  async #doOne(process: 0 | 1, request: Request): Promise<void> {
    const expected = expectOutcome(this.#state, request);
    const { outcome, secrets } = await this.#processes.all[process].ask('perform', request);
    same(`the answer of process ${process} to ${request.kind}`, outcome, expected);
    learnSecrets(this.#state, request, secrets);
    this.#count(request, outcome);
    await this.#learnAccounts(this.#state);
  }

  /** Runs two requests at the same time. Returns the possible states: those of each order that fits the answers. */
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
      same(`the answers to ${one.kind} and ${another.kind} at the same time, in either order`, said, {
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

  /** Both processes must show the view of the same candidate. */
  async #compareAll(candidates: readonly State[], pageLimit: number, thorough: readonly number[] = []): Promise<void> {
    const queries = [0, 1].map((process) => this.#queryFor(candidates[0] as State, process, pageLimit, thorough));
    const views = await Promise.all(
      this.#processes.all.map((process, index) => process.ask('readView', queries[index] as ViewQuery)),
    );
    const failures: unknown[] = [];
    for (const state of candidates) {
      try {
        for (const [process, query] of queries.entries()) {
          const seen = views[process] as View;
          if (process === 0) learnIdentities(state, seen, query);
          compareViews(`process ${process}`, seen, expectView(state, query));
        }
        this.#state = state;
        return;
      } catch (error) {
        failures.push(error);
      }
    }
    throw failures[0];
  }

  /** One process walks by page numbers and the other by cursors, alternating from step to step. */
  #queryFor(state: State, process: number, pageLimit: number, thorough: readonly number[]): ViewQuery {
    const workspaces = workspacesOf(state).map(
      (workspace): WorkspaceQuery => ({
        workspaceId: workspace.id,
        thorough: thorough.includes(workspace.id),
        groupNames: GROUPS_TO_LOOK_FOR.filter((name) => groupNamed(workspace, name)),
        unknownGroupNames: GROUPS_TO_LOOK_FOR.filter((name) => !groupNamed(workspace, name)),
        emails: EMAILS_TO_LOOK_FOR,
        erased: workspace.erased.map((client) => client.referenceId),
        secrets: workspace.keys.flatMap(({ secrets }) => secrets.map(({ secret }) => secret)),
        pageLimit,
        walk: (this.#steps + process) % 2 === 0 ? 'by number' : 'by cursor',
      }),
    );
    const accountIds = state.accounts.map((account) => account.id);
    const activityKind = ACTION_KINDS[this.#steps % ACTION_KINDS.length] ?? 'client';
    return { at: this.#now, accountIds, activityKind, workspaces };
  }

  #count(request: Request, outcome: Outcome): void {
    const counts = this.#tally.get(request.kind) ?? { done: 0, refused: 0 };
    counts['done' in outcome ? 'done' : 'refused']++;
    this.#tally.set(request.kind, counts);
  }
}

interface Performed {
  outcome: Outcome;
  secrets: CallerSecrets;
}

/** A request that is a single change runs before or after another one. Other requests could be interrupted. */
function isOneChange(request: Request): boolean {
  if (request.kind === 'import clients') return !request.dryRun && request.rows.length <= request.rowsAtOnce;
  if (request.kind === 'merge groups') return request.clientsAtOnce >= MERGED_AT_ONCE;
  return request.kind !== 'add sample' && request.kind !== 'cut activity';
}

/** The state after the requests in this order, and whether the answers fit it. */
function inSequence(before: State, ...performed: [Request, Performed][]) {
  const state = structuredClone(before);
  const expected: Outcome[] = [];
  for (const [request, { secrets }] of performed) {
    expected.push(expectOutcome(state, request));
    learnSecrets(state, request, secrets);
  }
  const fits = performed.every(([, { outcome }], index) => isDeepStrictEqual(outcome, expected[index]));
  return { state, expected, fits };
}

function compareViews(who: string, seen: View, expected: View): void {
  same(`the accounts that ${who} shows`, seen.accounts, expected.accounts);
  same(`the signing keys that ${who} shows`, seen.signingKeys, expected.signingKeys);
  for (const [index, account] of expected.accountDetails.entries()) {
    for (const part of Object.keys(account) as (keyof typeof account)[]) {
      same(`${part} of ${account.name} that ${who} shows`, seen.accountDetails[index]?.[part], account[part]);
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

/** Adds the name of the comparison to the error. */
function same(what: string, seen: unknown, expected: unknown): void {
  try {
    deepStrictEqual(seen, expected);
  } catch (error) {
    throw new Error(`Unexpected: ${what}.\n${(error as Error).message}`);
  }
}
