import {
  type AnswerContext,
  type AnsweredRequest,
  answerOnce,
  type ChangeAnswer,
} from '../../domain/clients/answer-once.ts';
import type { ClientChanges } from '../../domain/clients/manage-clients.ts';
import { type AddingChange, type Addition, createClient } from '../../domain/clients/write-clients.ts';
import { isFailure } from '../../domain/failure.ts';
import { headOf, type LockedWorkspace, liveKeys, lockWorkspace, requireStillMember } from '../locks.ts';
import { appendEntries, type Entry, newEntry } from '../members/index.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import type { Outcome } from '../workspace-queue.ts';
import { type ClientBatch, openBatch } from './client-batch.ts';
import { toVersioned } from './client-changes.ts';
import type { EventContext } from './client-events.ts';
import type { IndexLevels } from './client-index/levels.ts';
import { toClient } from './client-rows.ts';
import { ClientUnitOfWork } from './client-unit-of-work.ts';
import { toGroup } from './groups.ts';
import { findAnswers, type KeptByKey, keepAnswers, type NewAnswer, storedFor } from './kept-answers.ts';
import { writeBatch } from './write-batch.ts';

/** A request to add a client that waits for its turn. */
export interface WaitingAddition {
  context: AnswerContext;
  addition: Addition;
}

interface AddingTransaction extends Pick<UnitOfWork, 'engine' | 'db'> {
  workspaceId: number;
  levels: IndexLevels;
}

/**
 * Adds the clients of several requests, with the same outcome as one after the other. What they might conflict with is read
 * together, they are decided in memory, and what they change is written together (decision 95).
 */
export async function addTogether(
  { engine, db, workspaceId, levels }: AddingTransaction,
  waiting: readonly WaitingAddition[],
): Promise<Outcome<AnsweredRequest>[]> {
  const [first] = waiting;
  if (!first) return [];
  const locked = await lockWorkspace(db, workspaceId);
  const work = new ClientUnitOfWork({ engine, db, ...first.context }, levels, workspaceId, locked);
  const { lastIds, at } = work;
  const stored = await findAnswers(
    work,
    workspaceId,
    waiting.map(({ context }) => context),
  );
  const clients = waiting.flatMap(({ addition }) => validClient(addition) ?? []);
  const batch = await openBatch([{ db, engine }], workspaceId, clients, { ...lastIds, at });
  const additions = new Additions({ work, locked, stored, batch });
  const outcomes: Outcome<AnsweredRequest>[] = [];
  for (const each of waiting) outcomes.push(await additions.decide(each));
  await additions.write();
  return outcomes;
}

/** A request that is not valid refers to nothing. Why it is not valid is told when it is its turn. */
function validClient({ check }: Addition) {
  try {
    return check();
  } catch {
    return undefined;
  }
}

class Additions {
  readonly #work: ClientUnitOfWork;
  readonly #locked: LockedWorkspace;
  readonly #stored: KeptByKey;
  readonly #batch: ClientBatch;
  readonly #requireLiveKey: ReturnType<typeof liveKeys>;
  /** By whom, when and in which version each client was added, by its id. */
  readonly #added = new Map<number, EventContext>();
  readonly #entries: Entry[] = [];
  readonly #answers: NewAnswer[] = [];

  constructor(start: {
    work: ClientUnitOfWork;
    locked: LockedWorkspace;
    stored: KeptByKey;
    batch: ClientBatch;
  }) {
    this.#work = start.work;
    this.#locked = start.locked;
    this.#stored = start.stored;
    this.#batch = start.batch;
    this.#requireLiveKey = liveKeys(start.work.db, start.work.workspaceId);
  }

  async decide({ context, addition }: WaitingAddition): Promise<Outcome<AnsweredRequest>> {
    try {
      return { value: await this.#answer(context, addition) };
    } catch (error) {
      if (!isFailure(error) || isFailure(error, 'unavailable')) throw error;
      return { error };
    }
  }

  async write(): Promise<void> {
    const { workspaceId } = this.#work;
    await keepAnswers(this.#work, workspaceId, this.#answers);
    if (this.#added.size === 0) return;
    if (this.#entries.length !== this.#added.size) throw new Error('A client was added and not recorded.');
    await writeBatch(this.#work, this.#batch, ({ row }) => this.#added.get(row.id) ?? this.#work);
    const chain = await appendEntries(this.#work, `workspace:${workspaceId}`, headOf(this.#locked), this.#entries);
    await this.#work.finish(chain, this.#locked.version + this.#added.size);
  }

  async #answer(context: AnswerContext, addition: Addition): Promise<AnsweredRequest> {
    const { once, at } = context;
    const add = () => this.#addOne(context, addition);
    if (!once) return { answer: (await add()).answer, isRepeated: false };
    const { toKeep, ...answered } = await answerOnce(once, storedFor(context, this.#stored), add);
    if (toKeep) {
      this.#answers.push({ ...toKeep, once, at });
      this.#stored.set(once.key, { fingerprint: once.fingerprint, answer: toKeep.answer, keptAt: at });
    }
    return answered;
  }

  async #addOne(context: AnswerContext, { check, answer }: Addition): Promise<ChangeAnswer> {
    const { engine, db } = this.#work;
    await requireStillMember({ engine, db, ...context });
    await this.#requireLiveKey(context);
    const addedBefore = this.#added.size;
    try {
      return answer(await createClient(this.#changeBy(context), check()));
    } catch (error) {
      if (this.#added.size === addedBefore) throw error;
      // Alone, the client would be removed again.
      throw new Error('A request failed after its client was added.', { cause: error });
    }
  }

  #changeBy({ actor, at }: AnswerContext): AddingChange {
    const { account_id: accountId, environment } = this.#locked;
    return {
      clients: { add: (client) => this.#add({ actor: actor.name, at }, client) },
      groups: {
        byToken: async (token) => {
          const group = this.#batch.groupWithToken(token);
          return group && toGroup(group);
        },
      },
      record: (action, subject, details) => {
        this.#entries.push(newEntry({ accountId, actor, at }, { action, subject, environment, ...details }));
      },
    };
  }

  async #add(
    { actor, at }: Pick<EventContext, 'actor' | 'at'>,
    client: Parameters<ClientChanges['add']>[0],
  ): ReturnType<ClientChanges['add']> {
    const { db, workspaceId } = this.#work;
    const { row, group, added } = this.#batch.add(client, at);
    const shown = { ...row, group_name: group.name, group_token: group.token };
    if (added)
      this.#added.set(row.id, { workspaceId, version: this.#locked.version + this.#added.size + 1, at, actor });
    const context = this.#added.get(row.id);
    const versioned = context
      ? { ...toClient(shown), version: context.version, updatedAt: context.at }
      : await toVersioned(db, shown);
    return { client: versioned, id: row.id, added };
  }
}
