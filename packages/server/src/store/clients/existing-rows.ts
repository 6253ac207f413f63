import { type Selectable, sql } from 'kysely';
import { fold } from '../../domain/text.ts';
import type { Engine, ReadOnlyDatabase } from '../engines/engine.ts';
import type { Tables } from '../tables.ts';
import type { GroupRow } from './groups.ts';

export type ClientRow = Selectable<Tables['clients']>;

/** By what a row of an import, or a client to add, refers to existing clients and groups. */
export interface LookedUp {
  email?: string | undefined;
  referenceId?: string | undefined;
  externalId?: string | null | undefined;
  groupName?: string | undefined;
  groupToken?: string | undefined;
}

/** Named, because PostgreSQL refuses to run a prepared statement again that returns all columns of a table that got another one. */
export const CLIENT_COLUMNS = [
  'workspace_id',
  'id',
  'reference_id',
  'email',
  'email_folded',
  'name',
  'client_type',
  'group_id',
  'request_status',
  'client_status',
  'created_at',
  'external_id',
] as const satisfies (keyof ClientRow)[];
export const GROUP_COLUMNS = [
  'workspace_id',
  'id',
  'token',
  'name',
  'name_folded',
  'created_at',
] as const satisfies (keyof GroupRow)[];

/** A database in which clients and groups are looked up. */
export interface LookupSource {
  engine: Pick<Engine, 'listOf' | 'lookUp' | 'pairRows' | 'textRows'>;
  db: ReadOnlyDatabase;
  /** Of a source with changes: the clients whose rows in an earlier source have one of these emails, and have another one by now. */
  formerHolders?(emails: readonly string[]): Promise<number[]>;
}

/** The existing groups and clients that the rows of a batch refer to. */
export interface ExistingRows {
  groups: GroupRow[];
  clients: ClientRow[];
  /** The references of erased clients, which must not be used again. */
  erasedReferences: Set<string>;
}

/** A dry run adds a second source with its changes so far, which override the stored rows. */
export async function loadExistingRows(
  [stored, ...changed]: readonly [LookupSource, ...LookupSource[]],
  workspaceId: number,
  rows: readonly LookedUp[],
): Promise<ExistingRows> {
  const sources = [stored, ...changed];
  const groups = new Map<number, GroupRow>();
  for (const source of sources) {
    for (const group of await selectGroups(source, workspaceId, rows)) groups.set(group.id, group);
  }
  const clients = new Map<number, ClientRow>();
  const emails = emailsInGroups(rows, groups.values());
  for (const source of sources) {
    const found = await selectClients(source, workspaceId, rows, emails, [...clients.keys()]);
    for (const row of found) clients.set(row.id, row);
  }
  // Their current groups, which the history lines need.
  const others = new Set([...clients.values()].map((client) => client.group_id)).difference(groups);
  for (const source of sources) {
    for (const group of await selectGroupsById(source, workspaceId, [...others])) groups.set(group.id, group);
  }
  const erasedReferences = await selectErased(stored, workspaceId, rows);
  return { groups: [...groups.values()], clients: [...clients.values()], erasedReferences };
}

/** Only in the groups that the rows name: any number of other groups may have clients with the same email. */
function emailsInGroups(rows: readonly LookedUp[], groups: Iterable<GroupRow>): [string, number][] {
  const ids = new Map<string, number>();
  for (const { id, name_folded, token } of groups) ids.set(`name ${name_folded}`, id).set(`token ${token}`, id);
  const pairs = new Map<string, [string, number]>();
  for (const { email, groupName, groupToken } of rows) {
    const id = groupName === undefined ? ids.get(`token ${groupToken}`) : ids.get(`name ${fold(groupName)}`);
    if (email !== undefined && id !== undefined) pairs.set(emailKey(id, fold(email)), [fold(email), id]);
  }
  return [...pairs.values()];
}

/** Identifies a client within a workspace: no two clients of a group have the same email. */
export function emailKey(groupId: number, emailFolded: string): string {
  return `${groupId} ${emailFolded}`;
}

/** The clients that the rows refer to by reference, external id or email, and the clients found in an earlier source. */
async function selectClients(
  { db, engine }: LookupSource,
  workspaceId: number,
  rows: readonly LookedUp[],
  emails: readonly [string, number][],
  ids: readonly number[],
): Promise<ClientRow[]> {
  const all = db.selectFrom('clients').where('workspace_id', '=', workspaceId).select(CLIENT_COLUMNS);
  const references = referencesOf(rows);
  const externalIds = distinct(rows, (row) => row.externalId);
  return [
    ...(references.length > 0 ? await all.where('reference_id', 'in', engine.listOf(references)).execute() : []),
    ...(externalIds.length > 0 ? await all.where('external_id', 'in', engine.listOf(externalIds)).execute() : []),
    ...(emails.length > 0 ? await selectByEmail({ db, engine }, workspaceId, emails) : []),
    ...(ids.length > 0 ? await all.where('id', 'in', engine.listOf(ids)).execute() : []),
  ];
}

async function selectByEmail(
  { db, engine }: LookupSource,
  workspaceId: number,
  emails: readonly [string, number][],
): Promise<ClientRow[]> {
  const columns = sql.join(CLIENT_COLUMNS.map((column) => sql.ref(`c.${column}`)));
  const same = sql`c.workspace_id = ${workspaceId} and c.email_folded = w.text and c.group_id = w.number`;
  const { rows } = await sql<ClientRow>`
    select ${columns} from ${engine.pairRows(emails)} as w ${engine.lookUp('clients', 'c', same)}`.execute(db);
  return rows;
}

async function selectErased({ db, engine }: LookupSource, workspaceId: number, rows: readonly LookedUp[]) {
  const references = referencesOf(rows);
  if (references.length === 0) return new Set<string>();
  const erased = await db
    .selectFrom('erased_clients')
    .where('workspace_id', '=', workspaceId)
    .where('reference_id', 'in', engine.listOf(references))
    .select('reference_id')
    .execute();
  return new Set(erased.map((each) => each.reference_id));
}

/** The groups that the rows name. */
async function selectGroups(
  { db, engine }: LookupSource,
  workspaceId: number,
  rows: readonly LookedUp[],
): Promise<GroupRow[]> {
  const names = engine.listOf(distinct(rows, (row) => folded(row.groupName)));
  const tokens = engine.listOf(distinct(rows, (row) => row.groupToken));
  return db
    .selectFrom('groups')
    .where('workspace_id', '=', workspaceId)
    .where((or) => or.or([or('name_folded', 'in', names), or('token', 'in', tokens)]))
    .select(GROUP_COLUMNS)
    .execute();
}

async function selectGroupsById(
  { db, engine }: LookupSource,
  workspaceId: number,
  ids: readonly number[],
): Promise<GroupRow[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom('groups')
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', engine.listOf(ids))
    .select(GROUP_COLUMNS)
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
