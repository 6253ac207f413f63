import type { Insertable, Selectable } from 'kysely';
import type { Client } from '../../domain/clients/client.ts';
import { difference, type EventFields, type FormerFields } from '../../domain/clients/client-event.ts';
import type { LastEvent, ManyChanges, ManyOutcome, OnePatch } from '../../domain/clients/many-clients.ts';
import { isFailure } from '../../domain/failure.ts';
import { fold } from '../../domain/text.ts';
import type { Tables } from '../tables.ts';
import { newEvent } from './client-events.ts';
import { type ClientRow, selectClients, toClient } from './client-rows.ts';
import type { ClientUnitOfWork } from './client-unit-of-work.ts';
import { CLIENT_STATUS, REQUEST_STATUS } from './enum-codes.ts';
import { emailKey } from './existing-rows.ts';
import { findGroup } from './groups.ts';
import { addStatusChanges, removeStatusChanges } from './status-changes.ts';

/** The rows of one statement stay well below the statement timeout of PostgreSQL, where each changes a dozen indexes. */
const ROWS_AT_ONCE = 1000;

type Group = Pick<Selectable<Tables['groups']>, 'id' | 'name' | 'token'>;

interface Found {
  row: ClientRow;
  client: Client;
}

interface Decided extends Found {
  patch: OnePatch;
}

type Columns = Pick<Selectable<Tables['clients']>, 'group_id' | 'request_status' | 'client_status'>;

interface Changed extends Found {
  changes: { from: FormerFields; to: EventFields };
  columns: Columns;
}

/** The last line in the history of a client, as it is stored. */
interface LastLine extends LastEvent {
  /** Set if this line is an undo itself. */
  undoes: number | null;
}

/** Changes to many clients at once, of which only the group and the two statuses change. */
export function manyChangesIn(work: ClientUnitOfWork): ManyChanges {
  return {
    changeMany: async (referenceIds, decide, options = {}) => {
      const found = await findClients(work, referenceIds);
      const last = options.withLastEvent ? await lastEventsOf(work, found) : undefined;
      const decisions = referenceIds.map((referenceId) => {
        const one = found.get(referenceId);
        return one ? decideOne(one, () => decide(one.client, last?.get(one.row.id))) : refusal(referenceId, NOT_FOUND);
      });
      const destinations = await findDestinations(work, decisions.filter(isDecided));
      const results = decisions.map((each) => (isDecided(each) ? resultOf(each, destinations) : each));
      await write(work, results.filter(isChanged), { reason: options.reason, undone: last && undoneBy(last) });
      return { outcomes: results.map(toOutcome), version: work.version };
    },
  };
}

/** Why a client that was erased, or never existed, is not changed. */
export const NOT_FOUND = 'There is no such client.';

function refusal(referenceId: string, reason: string): ManyOutcome {
  return { referenceId, outcome: 'refused', reason };
}

function isDecided(each: Decided | Changed | ManyOutcome): each is Decided {
  return 'patch' in each;
}

function isChanged(each: Changed | ManyOutcome): each is Changed {
  return 'columns' in each;
}

function toOutcome(each: Changed | ManyOutcome): ManyOutcome {
  return isChanged(each) ? { referenceId: each.row.reference_id, outcome: 'changed', before: each.client } : each;
}

async function findClients(
  { db, engine, workspaceId }: ClientUnitOfWork,
  referenceIds: readonly string[],
): Promise<Map<string, Found>> {
  if (referenceIds.length === 0) return new Map();
  const rows = await selectClients(db)
    .where('clients.workspace_id', '=', workspaceId)
    .where('clients.reference_id', 'in', engine.listOf(referenceIds))
    .execute();
  return new Map(rows.map((row) => [row.reference_id, { row, client: toClient(row) }]));
}

async function lastEventsOf(
  { db, engine, workspaceId }: ClientUnitOfWork,
  found: ReadonlyMap<string, Found>,
): Promise<Map<number, LastLine>> {
  if (found.size === 0) return new Map();
  const ids = [...found.values()].map(({ row }) => row.id);
  const events = await db
    .selectFrom('client_events as event')
    .where('event.workspace_id', '=', workspaceId)
    .where('event.client_id', 'in', engine.listOf(ids))
    .where('event.version', '=', (later) =>
      later
        .selectFrom('client_events as each')
        .whereRef('each.workspace_id', '=', 'event.workspace_id')
        .whereRef('each.client_id', '=', 'event.client_id')
        .select(({ fn }) => fn.max('each.version').as('last')),
    )
    .select(['event.client_id', 'event.version', 'event.changed_from', 'event.undoes'])
    .execute();
  return new Map(
    events.map(({ client_id, version, changed_from: from, undoes }) => [
      client_id,
      { version, from: from === null ? null : JSON.parse(from), undoes },
    ]),
  );
}

/** The version of the line that each client loses. Who undoes an undo changes the client again. */
function undoneBy(last: ReadonlyMap<number, LastLine>): Map<number, number> {
  const undone = [...last].filter(([, line]) => line.undoes === null);
  return new Map(undone.map(([clientId, { version }]) => [clientId, version]));
}

function decideOne(one: Found, decide: () => OnePatch | undefined): Decided | ManyOutcome {
  const { referenceId } = one.client;
  try {
    const patch = decide();
    return patch ? { ...one, patch } : { referenceId, outcome: 'left-out' };
  } catch (error) {
    if (!isFailure(error) || error.code === 'unavailable') throw error;
    return refusal(referenceId, error.message);
  }
}

interface Destinations {
  byName: ReadonlyMap<string, Group | undefined>;
  /** The emails that clients of these groups have, and those that clients will have who move there. */
  taken: Set<string>;
}

/** The groups to which clients move, and which of their emails are taken there. */
async function findDestinations(work: ClientUnitOfWork, decided: readonly Decided[]): Promise<Destinations> {
  const { db, engine, workspaceId } = work;
  const moving = decided.filter(({ patch, row }) => movesTo(patch, row) !== undefined);
  const byName = new Map<string, Group | undefined>();
  for (const { patch, row } of moving) {
    const name = movesTo(patch, row) ?? '';
    if (!byName.has(name)) byName.set(name, await findGroup(db, workspaceId, name));
  }
  if (moving.length === 0) return { byName, taken: new Set() };
  // The group is compared here, so that a database does not look for the emails among all clients of the group.
  const others = await db
    .selectFrom('clients')
    .where('workspace_id', '=', workspaceId)
    .where('email_folded', 'in', engine.listOf(moving.map(({ row }) => row.email_folded)))
    .select(['email_folded', 'group_id'])
    .execute();
  return { byName, taken: new Set(others.map((row) => emailKey(row.group_id, row.email_folded))) };
}

/** The folded name of another group, if the client moves to one. */
function movesTo({ groupName, groupToken }: OnePatch, row: ClientRow): string | undefined {
  if (groupName === undefined) return undefined;
  const isThere = groupToken === undefined ? fold(groupName) === fold(row.group_name) : groupToken === row.group_token;
  return isThere ? undefined : fold(groupName);
}

/** Why the client cannot move to this group, if it cannot. */
function problemWithMove({ row, patch }: Decided, group: Group | undefined, taken: ReadonlySet<string>) {
  if (!group) return `There is no group named ${patch.groupName}.`;
  if (patch.groupToken !== undefined && patch.groupToken !== group.token) {
    return `The group ${group.name} is another one than that in which the client was.`;
  }
  if (!taken.has(emailKey(group.id, row.email_folded))) return undefined;
  return `Another client of the group ${group.name} has the same email.`;
}

function resultOf(decided: Decided, { byName, taken }: Destinations): Changed | ManyOutcome {
  const { row, client, patch } = decided;
  const { referenceId } = client;
  const name = movesTo(patch, row);
  const group = name === undefined ? undefined : byName.get(name);
  const problem = name === undefined ? undefined : problemWithMove(decided, group, taken);
  if (problem !== undefined) return refusal(referenceId, problem);
  if (group) taken.add(emailKey(group.id, row.email_folded));
  const after: Client = {
    ...client,
    requestStatus: patch.requestStatus ?? client.requestStatus,
    status: patch.status ?? client.status,
    ...(group && { groupName: group.name, groupToken: group.token }),
  };
  const changes = difference(client, after);
  if (!changes) return { referenceId, outcome: 'unchanged' };
  const columns = {
    group_id: group?.id ?? row.group_id,
    request_status: REQUEST_STATUS.encode(after.requestStatus),
    client_status: CLIENT_STATUS.encode(after.status),
  };
  const from = group ? { ...changes.from, group_token: client.groupToken } : changes.from;
  return { row, client, changes: { ...changes, from }, columns };
}

interface WriteOptions {
  reason: string | undefined;
  /** The versions of the lines that are undone, by client. */
  undone: ReadonlyMap<number, number> | undefined;
}

/** Clients that become the same are written with one statement. */
async function write(work: ClientUnitOfWork, changed: readonly Changed[], options: WriteOptions): Promise<void> {
  if (changed.length === 0) return;
  const { db, engine, workspaceId } = work;
  await writeStatusChanges(work, changed, options.undone);
  for (const same of Map.groupBy(changed, ({ columns }) => Object.values(columns).join(' ')).values()) {
    const columns = same[0]?.columns as Columns;
    for (let start = 0; start < same.length; start += ROWS_AT_ONCE) {
      const ids = same.slice(start, start + ROWS_AT_ONCE).map(({ row }) => row.id);
      await db
        .updateTable('clients')
        .set(columns)
        .where('workspace_id', '=', workspaceId)
        .where('id', 'in', engine.listOf(ids))
        .execute();
    }
  }
  for (const { row, columns } of changed) work.noteMoved(row, { ...row, ...columns });
  work.addEvents(eventsOf(work, changed, options));
}

async function writeStatusChanges(
  work: ClientUnitOfWork,
  changed: readonly Changed[],
  undone: WriteOptions['undone'],
): Promise<void> {
  const removed: { clientId: number; version: number }[] = [];
  const added: { row: ClientRow; toStatus: number }[] = [];
  for (const { row, columns } of changed) {
    const version = undone?.get(row.id);
    if (version === undefined) added.push({ row, toStatus: columns.request_status });
    else removed.push({ clientId: row.id, version });
  }
  await removeStatusChanges(work, removed);
  await addStatusChanges(work, added);
}

function* eventsOf(
  work: ClientUnitOfWork,
  changed: readonly Changed[],
  { reason, undone }: WriteOptions,
): Generator<Insertable<Tables['client_events']>> {
  for (const { row, changes } of changed) {
    yield newEvent(work, row.id, 'changed', { ...changes, reason, undoes: undone?.get(row.id) });
  }
}
