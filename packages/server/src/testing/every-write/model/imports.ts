import { CLIENT_STATUSES, CLIENT_TYPES } from '../../../domain/clients/client.ts';
import type { EventFields } from '../../../domain/clients/client-event.ts';
import { REQUEST_STATUSES } from '../../../domain/clients/request-status.ts';
import { sampleClients } from '../../../domain/clients/sample-clients.ts';
import { fold } from '../../../domain/text.ts';
import type { Cells, RequestTo } from '../requests.ts';
import {
  addAddedEvent,
  addChangedEvent,
  clientWithEmail,
  clientWithExternalId,
  clientWithReference,
  fieldsOf,
} from './clients.ts';
import { groupNamed } from './groups.ts';
import { type ChangeContext, recordPart } from './record.ts';
import {
  findWorkspace,
  type ModelAccount,
  type ModelClient,
  type ModelWorkspace,
  requireStillMember,
  type State,
} from './state.ts';
import { CLIENT_NAME_MAX, GROUP_NAME_MAX, isEmail, isExternalId, isName } from './text-rules.ts';

const DAY_MS = 86_400_000;

/** A valid row. Fields that are not given stay as they are. */
interface Row {
  line: number;
  email: string;
  name: string;
  type: ModelClient['type'];
  groupName: string;
  requestStatus?: ModelClient['requestStatus'] | undefined;
  status?: ModelClient['status'] | undefined;
  createdAt?: number | undefined;
  referenceId?: string | undefined;
  groupToken?: string | undefined;
  externalId?: string | null | undefined;
}

type RowOutcome = 'inserted' | 'updated' | 'unchanged' | { about: string };

interface Place {
  account: ModelAccount;
  workspace: ModelWorkspace;
}

/** Applies the rows one after the other. A dry run does the same and changes nothing. */
export function importClients(state: State, request: RequestTo<'import clients'>) {
  const target = findWorkspace(request.dryRun ? structuredClone(state) : state, request.workspaceId);
  const result = { inserted: 0, updated: 0, unchanged: 0, rejected: [] as { line: number; about: string }[] };
  const rows: Row[] = [];
  for (const [index, cells] of request.rows.entries()) {
    const row = readRow(cells, index + 2);
    if (typeof row === 'string') result.rejected.push({ line: index + 2, about: row });
    else rows.push(row);
  }
  for (const { line, outcome } of importRows(target, request, rows, request.rowsAtOnce, request.origin)) {
    if (typeof outcome === 'string') result[outcome]++;
    else result.rejected.push({ line, about: outcome.about });
  }
  result.rejected.sort((a, b) => a.line - b.line);
  return result;
}

/** The product generates the clients; the model checks that they are imported like other rows. */
export function addSample(state: State, request: RequestTo<'add sample'>) {
  const { clients, groups, seed, workspaceId, at } = request;
  const rows = [...sampleClients({ clients, groups, seed, workspaceId, until: at - (at % DAY_MS) })];
  const origin = { id: `sample ${at}`, name: 'sample clients' };
  const outcomes = importRows(
    findWorkspace(state, workspaceId),
    request,
    rows.map((row) => ({ line: 0, ...row })),
    request.rowsAtOnce,
    origin,
  );
  return outcomes.filter(({ outcome }) => outcome === 'inserted').length;
}

/** Applies the rows in parts, each of which is one change and adds at most one history line per client. */
function importRows(
  target: Place,
  context: ChangeContext & { dryRun?: boolean },
  rows: Row[],
  rowsAtOnce: number,
  origin: { id: string; name: string },
): { line: number; outcome: RowOutcome }[] {
  const outcomes: { line: number; outcome: RowOutcome }[] = [];
  for (let start = 0; start < rows.length; start += rowsAtOnce) {
    outcomes.push(...importPiece(target, context, rows.slice(start, start + rowsAtOnce), origin));
  }
  return outcomes;
}

function importPiece(
  target: Place,
  context: ChangeContext & { dryRun?: boolean },
  rows: Row[],
  origin: { id: string; name: string },
) {
  const { workspace } = target;
  if (!context.dryRun) requireStillMember(target.account, context.actor);
  const groupsBefore = workspace.groups.length;
  const before = new Map(workspace.clients.map((client): [ModelClient, EventFields] => [client, fieldsOf(client)]));
  const outcomes = rows.map((row) => ({ line: row.line, outcome: applyRow(workspace, row, context.at) }));
  let changed = 0;
  for (const client of workspace.clients) {
    const fields = before.get(client);
    if (!fields) addAddedEvent(workspace, client, context);
    if (!fields || addChangedEvent(workspace, client, { ...context, before: fields })) changed++;
  }
  const part = { action: 'client.imported', subject: origin.name, partOf: origin.id } as const;
  const madeGroups = workspace.groups.slice(groupsBefore).map(({ name }) => name);
  if (changed > 0 || madeGroups.length > 0) recordPart(target, context, part, changed, { madeGroups });
  return outcomes;
}

function applyRow(workspace: ModelWorkspace, row: Row, at: number): RowOutcome {
  const named = groupNamed(workspace, row.groupName);
  if (row.groupToken !== undefined) {
    const owner = workspace.groups.find((group) => group.token === row.groupToken);
    if (named ? named.token !== row.groupToken : owner) return { about: 'group_token' };
  }
  if (workspace.erased.some((client) => client.referenceId === row.referenceId)) return { about: 'the' };
  const sameReference = row.referenceId === undefined ? undefined : clientWithReference(workspace, row.referenceId);
  const sameEmail = named && clientWithEmail(workspace, named, row.email);
  const sameExternalId = clientWithExternalId(workspace, row.externalId ?? null);
  const client = sameReference ?? sameExternalId ?? sameEmail;
  if (sameExternalId && client !== sameExternalId) return { about: 'external_id' };
  if (sameEmail && client !== sameEmail) return { about: 'email' };
  const isFoundByEmail = !sameReference && !sameExternalId && row.externalId;
  if (client && isFoundByEmail && client.externalId !== null) return { about: 'external_id' };

  const group = named ?? { token: row.groupToken ?? '', name: row.groupName, createdAt: at };
  const given = { email: row.email, name: row.name, type: row.type, group };
  if (!client) {
    if (!named) workspace.groups.push(group);
    workspace.clients.push({
      ...given,
      referenceId: row.referenceId ?? '',
      requestStatus: row.requestStatus ?? 'requested',
      status: row.status ?? 'active',
      createdAt: row.createdAt ?? at,
      externalId: row.externalId ?? null,
      assignee: null,
      version: 0,
      history: [],
      undone: [],
    });
    return 'inserted';
  }
  const wanted = {
    ...given,
    requestStatus: row.requestStatus ?? client.requestStatus,
    status: row.status ?? client.status,
    createdAt: row.createdAt ?? client.createdAt,
    externalId: row.externalId ?? client.externalId,
  };
  const fields = Object.keys(wanted) as (keyof typeof wanted)[];
  if (fields.every((field) => client[field] === wanted[field])) return 'unchanged';
  if (!named) workspace.groups.push(group);
  Object.assign(client, wanted);
  return 'updated';
}

/** The row, or the name of the first column that is wrong. */
function readRow(cells: Cells, line: number): Row | string {
  const missing = (['email', 'client_name', 'client_type', 'group_name'] as const).find((name) => !cells[name]?.trim());
  if (missing) return missing;
  const { email = '', client_name: name = '', group_name: groupName = '' } = cells;
  if (!isEmail(email)) return 'email';
  if (!isName(name, CLIENT_NAME_MAX)) return 'client_name';
  const type = CLIENT_TYPES.find((each) => each === fold(cells.client_type ?? ''));
  if (!type) return 'client_type';
  if (!isName(groupName, GROUP_NAME_MAX)) return 'group_name';
  const row: Row = { line, email: email.trim(), name: name.trim(), groupName: groupName.trim(), type };
  if (cells.request_status) {
    row.requestStatus = REQUEST_STATUSES.find((each) => each === fold(cells.request_status ?? ''));
    if (!row.requestStatus) return 'request_status';
  }
  if (cells.client_status) {
    row.status = CLIENT_STATUSES.find((each) => each === fold(cells.client_status ?? ''));
    if (!row.status) return 'client_status';
  }
  if (cells.created_at) {
    row.createdAt = timeOf(cells.created_at);
    if (row.createdAt === undefined) return 'created_at';
  }
  if (cells.reference_id) {
    if (!/^\d+-\d{4,}$/.test(cells.reference_id)) return 'reference_id';
    row.referenceId = cells.reference_id;
  }
  if (cells.group_token) {
    if (cells.group_token.length !== 36) return 'group_token';
    row.groupToken = cells.group_token;
  }
  if (cells.external_id) {
    if (!isExternalId(cells.external_id)) return 'external_id';
    row.externalId = cells.external_id.trim() || null;
  }
  return row;
}

/** A valid time stays the same when it is parsed and formatted. */
function timeOf(text: string): number | undefined {
  const time = new Date(text);
  return !Number.isNaN(time.getTime()) && time.toISOString() === text ? time.getTime() : undefined;
}
