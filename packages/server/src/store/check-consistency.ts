import { sql } from 'kysely';
import { publicForm } from '../domain/credentials/index.ts';
import { ENVIRONMENTS } from '../domain/environment.ts';
import { Failure } from '../domain/failure.ts';
import { problemText, verifyActivity } from '../domain/members/index.ts';
import { sealedBy } from '../domain/sealed-text.ts';
import { fold } from '../domain/text.ts';
import { CLIENT_STATUS, CLIENT_TYPE, checkIndex, checkWords, REQUEST_STATUS, readClients } from './clients/index.ts';
import { readSigningKeys } from './credentials/index.ts';
import type { Engine, ReadOnlyDatabase } from './engines/engine.ts';
import { chainsIn } from './members/index.ts';
import { readSealedValues, readSecretId } from './sealed-columns.ts';
import type { Tables } from './tables.ts';

/** The report of `rollcall doctor`. It contains only identifiers, because it must not contain personal data. */
export interface ConsistencyReport {
  checked: { workspaces: number; groups: number; clients: number };
  problems: string[];
}

const PROBLEMS_MAX = 100;

/** Recomputes, in one snapshot, the derived data that the store otherwise relies on. */
export async function checkConsistency(engine: Engine): Promise<ConsistencyReport> {
  const problems: string[] = [];
  const report = (problem: string) => {
    if (problems.length < PROBLEMS_MAX) problems.push(problem);
  };
  const checked = { workspaces: 0, groups: 0, clients: 0 };
  if (engine.dialect === 'sqlite') await checkFile(engine, report);
  // If the file is damaged, the results of the other checks would be unreliable.
  if (problems.length > 0) return { checked, problems };
  return engine.snapshot(async (db) => {
    await checkForeign(engine, db, report);
    checked.workspaces = await checkWorkspaces(db, report);
    await checkSealed(db, report);
    const knownKeys = (await readSigningKeys(db)).map(publicForm);
    const { problems: inLog } = await verifyActivity(chainsIn(db), { knownKeys });
    for (const problem of inLog) report(problemText(problem));
    const workspaces = await db.selectFrom('workspaces').selectAll().orderBy('id').execute();
    for (const workspace of workspaces) {
      const groups = await checkGroups(db, workspace, report);
      checked.groups += groups.size;
      checked.clients += await checkClients(db, workspace, groups, report);
      await checkAssignments(db, workspace.id, report);
      for (const problem of await checkIndex(db, workspace.id)) report(problem);
      for (const problem of await checkWords(engine, db, workspace)) report(problem);
    }
    return { checked, problems };
  });
}

type Report = (problem: string) => void;

async function checkFile(engine: Engine, report: Report): Promise<void> {
  try {
    // On a connection of its own: the check takes what a connection remembers of the full-text index to be up to date.
    const { db, close } = await engine.openSnapshot();
    const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db).finally(close);
    for (const { integrity_check } of rows) if (integrity_check !== 'ok') report(`database file: ${integrity_check}`);
  } catch (error) {
    // The check itself fails if a page cannot be read.
    if (!(error instanceof Failure && error.cause instanceof Error)) throw error;
    report(`database file: ${error.cause.message}`);
  }
}

const FOREIGN = {
  sqlite: sql<Foreign>`select type, name from sqlite_schema where type in ('trigger', 'view') order by name`,
  // Views are left alone here: one beside the tables changes nothing, and operators use them for reports.
  postgres: sql<Foreign>`select 'trigger' as type, tgname as name from pg_trigger
    join pg_class on pg_class.oid = tgrelid join pg_namespace on pg_namespace.oid = relnamespace
    where nspname = current_schema() and not tgisinternal order by tgname`,
};

interface Foreign {
  type: string;
  name: string;
}

/** No migration makes a trigger. One changes data by itself, past everything that is checked and recorded. */
async function checkForeign({ dialect }: Engine, db: ReadOnlyDatabase, report: Report): Promise<void> {
  const { rows } = await FOREIGN[dialect].execute(db);
  for (const { type, name } of rows) report(`database: the ${type} ${JSON.stringify(name)} was not made by Rollcall`);
}

async function checkWorkspaces(db: ReadOnlyDatabase, report: Report): Promise<number> {
  const accounts = await db
    .selectFrom('accounts')
    .leftJoin('workspaces', 'workspaces.account_id', 'accounts.id')
    .select(({ fn }) => ['accounts.id', fn.count<number>('workspaces.id').as('workspaces')])
    .groupBy('accounts.id')
    .execute();
  for (const { id, workspaces } of accounts) {
    if (workspaces !== ENVIRONMENTS.length) report(`account ${id} has ${workspaces} workspaces`);
  }
  return accounts.reduce((sum, { workspaces }) => sum + workspaces, 0);
}

/** Whether the texts can be opened is not checked, because that takes the secret. */
async function checkSealed(db: ReadOnlyDatabase, report: Report): Promise<void> {
  const secretId = await readSecretId(db);
  if (secretId === null) return;
  for (const { place, text } of await readSealedValues(db)) {
    const where = `${place.table}.${place.column} of row ${place.row}`;
    const id = sealedBy(text);
    if (id === undefined) report(`${where} is not encrypted`);
    else if (id !== secretId) report(`${where} is encrypted with another secret than the rest of the database`);
  }
}

interface WorkspaceRow {
  id: number;
  last_group_id: number;
  last_client_id: number;
}

async function checkGroups(db: ReadOnlyDatabase, workspace: WorkspaceRow, report: Report): Promise<Set<number>> {
  const groups = await db.selectFrom('groups').where('workspace_id', '=', workspace.id).selectAll().execute();
  for (const group of groups) {
    const where = `workspace ${workspace.id}, group ${group.id}`;
    if (group.name_folded !== fold(group.name)) report(`${where}: the folded form of its name is wrong`);
    if (group.id > workspace.last_group_id) report(`${where}: its id is greater than the last id of the workspace`);
  }
  return new Set(groups.map((group) => group.id));
}

async function checkClients(
  db: ReadOnlyDatabase,
  workspace: WorkspaceRow,
  groups: ReadonlySet<number>,
  report: Report,
): Promise<number> {
  let checked = 0;
  for await (const clients of readClients(db, workspace.id)) {
    for (const client of clients) {
      for (const problem of problemsOf(client, workspace, groups)) {
        report(`workspace ${workspace.id}, client ${client.id}: ${problem}`);
      }
    }
    checked += clients.length;
  }
  return checked;
}

/** That both exist, the database itself ensures. */
async function checkAssignments(db: ReadOnlyDatabase, workspaceId: number, report: Report): Promise<void> {
  const foreign = await db
    .selectFrom('client_assignments as assigned')
    .innerJoin('members', 'members.id', 'assigned.member_id')
    .innerJoin('workspaces', 'workspaces.id', 'assigned.workspace_id')
    .where('assigned.workspace_id', '=', workspaceId)
    .whereRef('members.account_id', '!=', 'workspaces.account_id')
    .select('assigned.client_id')
    .orderBy('assigned.client_id')
    .limit(PROBLEMS_MAX)
    .execute();
  for (const { client_id: id } of foreign) {
    report(`workspace ${workspaceId}, client ${id}: it is assigned to a member of another account`);
  }
}

function* problemsOf(client: Tables['clients'], workspace: WorkspaceRow, groups: ReadonlySet<number>) {
  if (!groups.has(client.group_id)) yield `its group ${client.group_id} does not exist`;
  if (client.email_folded !== fold(client.email)) yield 'the folded form of its email is wrong';
  if (client.id > workspace.last_client_id) yield 'its id is greater than the last id of the workspace';
  if (!REQUEST_STATUS.has(client.request_status)) yield `its request status ${client.request_status} is unknown`;
  if (!CLIENT_TYPE.has(client.client_type)) yield `its type ${client.client_type} is unknown`;
  if (!CLIENT_STATUS.has(client.client_status)) yield `its status ${client.client_status} is unknown`;
}
