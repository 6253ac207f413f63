import type { Selectable } from 'kysely';
import { fold } from '../../domain/text.ts';
import type { Engine, ReadOnlyDatabase } from '../engines/engine.ts';
import type { Tables } from '../tables.ts';
import type { GroupRow } from './groups.ts';

type Row = Selectable<Tables['clients']>;

/** By what a row of an import, or a client to add, refers to existing clients and groups. */
export interface LookedUp {
  email?: string | undefined;
  referenceId?: string | undefined;
  externalId?: string | null | undefined;
  groupName?: string | undefined;
  groupToken?: string | undefined;
}

/** A database in which clients and groups are looked up. */
export interface LookupSource extends Pick<Engine, 'listOf'> {
  db: ReadOnlyDatabase;
}

/** The existing groups and clients that the rows of a batch refer to. */
export interface ExistingRows {
  groups: GroupRow[];
  clients: Iterable<Row>;
  /** The references of erased clients, which must not be used again. */
  erasedReferences: Set<string>;
}

/** A dry run adds a second source with its changes so far, which override the stored rows. */
export async function loadExistingRows(
  [stored, ...changed]: readonly [LookupSource, ...LookupSource[]],
  workspaceId: number,
  rows: readonly LookedUp[],
): Promise<ExistingRows> {
  const clients = new Map<number, Row>();
  for (const source of [stored, ...changed]) {
    const found = await selectClients(source, workspaceId, rows, [...clients.keys()]);
    for (const row of found) clients.set(row.id, row);
  }
  const groupIds = [...new Set([...clients.values()].map((client) => client.group_id))];
  const groups: GroupRow[] = [];
  for (const source of [stored, ...changed]) groups.push(...(await selectGroups(source, workspaceId, rows, groupIds)));
  return { groups, clients: clients.values(), erasedReferences: await selectErased(stored, workspaceId, rows) };
}

/** The clients that the rows refer to by reference, external id or email, and the clients found in an earlier source. */
async function selectClients(
  { db, listOf }: LookupSource,
  workspaceId: number,
  rows: readonly LookedUp[],
  ids: readonly number[],
): Promise<Row[]> {
  const all = db.selectFrom('clients').where('workspace_id', '=', workspaceId).selectAll();
  const references = referencesOf(rows);
  const externalIds = distinct(rows, (row) => row.externalId);
  const emails = distinct(rows, (row) => folded(row.email));
  return [
    ...(references.length > 0 ? await all.where('reference_id', 'in', listOf(references)).execute() : []),
    ...(externalIds.length > 0 ? await all.where('external_id', 'in', listOf(externalIds)).execute() : []),
    ...(emails.length > 0 ? await all.where('email_folded', 'in', listOf(emails)).execute() : []),
    ...(ids.length > 0 ? await all.where('id', 'in', listOf(ids)).execute() : []),
  ];
}

async function selectErased({ db, listOf }: LookupSource, workspaceId: number, rows: readonly LookedUp[]) {
  const references = referencesOf(rows);
  if (references.length === 0) return new Set<string>();
  const erased = await db
    .selectFrom('erased_clients')
    .where('workspace_id', '=', workspaceId)
    .where('reference_id', 'in', listOf(references))
    .select('reference_id')
    .execute();
  return new Set(erased.map((each) => each.reference_id));
}

/** The groups that the rows name, and the current groups of their clients, which the history lines need. */
async function selectGroups(
  { db, listOf }: LookupSource,
  workspaceId: number,
  rows: readonly LookedUp[],
  ids: readonly number[],
): Promise<GroupRow[]> {
  const names = listOf(distinct(rows, (row) => folded(row.groupName)));
  const tokens = listOf(distinct(rows, (row) => row.groupToken));
  return db
    .selectFrom('groups')
    .where('workspace_id', '=', workspaceId)
    .where((or) => or.or([or('name_folded', 'in', names), or('token', 'in', tokens), or('id', 'in', listOf(ids))]))
    .selectAll()
    .execute();
}

function referencesOf(rows: readonly LookedUp[]): string[] {
  return rows.flatMap((row) => row.referenceId ?? []);
}

function folded(text: string | undefined): string | undefined {
  return text === undefined ? undefined : fold(text);
}

function distinct(rows: readonly LookedUp[], pick: (row: LookedUp) => string | null | undefined): string[] {
  return [...new Set(rows.flatMap((row) => pick(row) ?? []))];
}
