import type { Selectable } from 'kysely';
import type { ImportRow } from '../../domain/clients/import-clients.ts';
import { fold } from '../../domain/text.ts';
import type { Engine, Reads } from '../engines/engine.ts';
import type { Tables } from '../tables.ts';
import type { GroupRow } from './groups.ts';

type Row = Selectable<Tables['clients']>;

/** Where clients and groups are looked up. */
export interface Layer extends Pick<Engine, 'listOf'> {
  db: Reads;
}

/** What there is already of the rows of one batch. */
export interface Known {
  groups: GroupRow[];
  clients: Iterable<Row>;
  /** References whose client was erased: they cannot be given again. */
  erasedReferences: Set<string>;
}

/** A dry run adds a second layer, of what it would have changed so far: what is in it hides what is stored. */
export async function loadKnown(
  [stored, ...changed]: readonly [Layer, ...Layer[]],
  workspaceId: number,
  rows: readonly ImportRow[],
): Promise<Known> {
  const clients = new Map<number, Row>();
  for (const layer of [stored, ...changed]) {
    const found = await selectClients(layer, workspaceId, rows, [...clients.keys()]);
    for (const row of found) clients.set(row.id, row);
  }
  const groupIds = [...new Set([...clients.values()].map((client) => client.group_id))];
  const groups: GroupRow[] = [];
  for (const layer of [stored, ...changed]) groups.push(...(await selectGroups(layer, workspaceId, rows, groupIds)));
  return { groups, clients: clients.values(), erasedReferences: await selectErased(stored, workspaceId, rows) };
}

/** The clients that the rows name by reference or by email, and those of them that a lower layer has found. */
async function selectClients(
  { db, listOf }: Layer,
  workspaceId: number,
  rows: readonly ImportRow[],
  ids: readonly number[],
): Promise<Row[]> {
  const all = db.selectFrom('clients').where('workspace_id', '=', workspaceId).selectAll();
  const references = referencesOf(rows);
  const emails = distinct(rows, (row) => fold(row.email));
  return [
    ...(references.length > 0 ? await all.where('reference_id', 'in', listOf(references)).execute() : []),
    ...(await all.where('email_folded', 'in', listOf(emails)).execute()),
    ...(ids.length > 0 ? await all.where('id', 'in', listOf(ids)).execute() : []),
  ];
}

async function selectErased({ db, listOf }: Layer, workspaceId: number, rows: readonly ImportRow[]) {
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

/** The groups that the rows name, and those that their clients are in now: an event says from where one moved. */
async function selectGroups(
  { db, listOf }: Layer,
  workspaceId: number,
  rows: readonly ImportRow[],
  ids: readonly number[],
): Promise<GroupRow[]> {
  const names = listOf(distinct(rows, (row) => fold(row.groupName)));
  const tokens = listOf(distinct(rows, (row) => row.groupToken));
  return db
    .selectFrom('groups')
    .where('workspace_id', '=', workspaceId)
    .where((or) => or.or([or('name_folded', 'in', names), or('token', 'in', tokens), or('id', 'in', listOf(ids))]))
    .selectAll()
    .execute();
}

function referencesOf(rows: readonly ImportRow[]): string[] {
  return rows.flatMap((row) => row.referenceId ?? []);
}

function distinct(rows: readonly ImportRow[], pick: (row: ImportRow) => string | undefined): string[] {
  return [...new Set(rows.flatMap((row) => pick(row) ?? []))];
}
