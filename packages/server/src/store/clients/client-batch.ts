import type { Selectable } from 'kysely';
import type { NewClient } from '../../domain/clients/client.ts';
import { difference, type EventFields } from '../../domain/clients/client-event.ts';
import { type CountedRows, NO_ROWS, withRow } from '../../domain/clients/counted-rows.ts';
import { GroupChangeCounts, type GroupChangeSummary } from '../../domain/clients/group-change-counts.ts';
import type {
  EarlierClients,
  ImportedClient,
  RowOutcome,
  RowResults,
  RowRules,
} from '../../domain/clients/import-clients.ts';
import { ERASED_REFERENCE } from '../../domain/clients/import-clients.ts';
import type { ImportRow } from '../../domain/clients/parse-row.ts';
import { quotedValue } from '../../domain/clients/quoted-value.ts';
import {
  type StatusChangeCount,
  StatusChangeCounts,
  type StatusField,
} from '../../domain/clients/status-change-counts.ts';
import { Failure } from '../../domain/failure.ts';
import { fold } from '../../domain/text.ts';
import type { Tables } from '../tables.ts';
import { toClient, toColumns } from './client-rows.ts';
import { findEmailsElsewhere } from './emails-elsewhere.ts';
import { REQUEST_STATUS } from './enum-codes.ts';
import { type ExistingRows, emailKey, type LookedUp, type LookupSource, loadExistingRows } from './existing-rows.ts';
import { type GroupRow, newGroup } from './groups.ts';
import { unusedReferences } from './unused-references.ts';

type Row = Selectable<Tables['clients']>;
type Statuses = Pick<ImportRow, 'requestStatus' | 'status'>;

export interface ChangedClient {
  row: Row;
  /** The row before the batch; missing for a new client. */
  before?: Row;
}

interface BatchStart extends RowRules {
  /** Those of the rows before the batch. */
  earlier?: EarlierClients | undefined;
  /** The last ids that the workspace has assigned. */
  lastGroupId: number;
  lastClientId: number;
  at: number;
}

type Sources = readonly [LookupSource, ...LookupSource[]];

/** Reads together what the rows refer to. */
export async function openBatch(
  sources: Sources,
  workspaceId: number,
  rows: readonly LookedUp[],
  start: BatchStart,
): Promise<ClientBatch> {
  const existing = await loadExistingRows(sources, workspaceId, rows);
  return startBatch(sources, workspaceId, rows, { ...start, existing, emailsElsewhere: new Set() });
}

async function startBatch(
  sources: Sources,
  workspaceId: number,
  rows: readonly LookedUp[],
  start: Omit<LoadedStart, 'workspaceId' | 'newReference'>,
): Promise<ClientBatch> {
  const newReference = await unusedReferences(sources[0].db, workspaceId, start.at, rows.length);
  return new ClientBatch({ workspaceId, newReference, ...start });
}

/** Decides what the rows would change, in the same way for an import and for a dry run. Nothing is written. */
export async function decideRows(
  sources: Sources,
  workspaceId: number,
  rows: readonly ImportRow[],
  start: BatchStart,
): Promise<RowResults & { batch: ClientBatch }> {
  const existing = await loadExistingRows(sources, workspaceId, rows);
  const emailsElsewhere = await findEmailsElsewhere(sources, workspaceId, rows, existing.clients);
  const batch = await startBatch(sources, workspaceId, rows, { ...start, existing, emailsElsewhere });
  const outcomes = rows.map((row) => batch.apply(row));
  return {
    batch,
    outcomes,
    statusChanges: batch.statusChanges(),
    groupChanges: batch.groupChanges(),
    emailChanges: batch.emailChanges(),
    emailsElsewhere: batch.emailsElsewhere(),
    repeats: batch.repeats(),
  };
}

interface LoadedStart extends BatchStart {
  workspaceId: number;
  existing: ExistingRows;
  /** The emails of clients in other groups that are not among the existing ones. */
  emailsElsewhere: ReadonlySet<string>;
  newReference(): string;
}

/** Decides one by one, in memory, what rows of an import or new clients change. Later ones see the changes of earlier ones. */
export class ClientBatch {
  readonly newGroups: GroupRow[] = [];
  readonly lastIds: { lastGroupId: number; lastClientId: number };
  readonly #workspaceId: number;
  readonly #at: number;
  readonly #rules: RowRules;
  readonly #existing: ExistingRows;
  readonly #groupsByName = new Map<string, GroupRow>();
  readonly #groupsByToken = new Map<string, GroupRow>();
  readonly #groupsById = new Map<number, GroupRow>();
  readonly #byReference = new Map<string, ChangedClient>();
  readonly #byExternalId = new Map<string, ChangedClient>();
  readonly #byEmail = new Map<string, ChangedClient>();
  readonly #emailsOfOthers: ReadonlySet<string>;
  /** How many clients of the batch have an email, in whatever groups. */
  readonly #holders = new Map<string, number>();
  readonly #newReference: () => string;
  readonly #changed = new Set<ChangedClient>();
  readonly #earlier: EarlierClients | undefined;
  readonly #touched = new Set<number>();
  readonly #statusChanges = new StatusChangeCounts();
  readonly #groupChanges = new GroupChangeCounts();
  #emailChanges = NO_ROWS;
  #emailsElsewhere = NO_ROWS;
  #repeats = NO_ROWS;

  constructor(start: LoadedStart) {
    const { workspaceId, existing, emailsElsewhere, newReference, lastGroupId, lastClientId, at, earlier, ...rules } =
      start;
    this.#workspaceId = workspaceId;
    this.#at = at;
    this.#rules = rules;
    this.#earlier = earlier;
    this.#newReference = newReference;
    this.#existing = existing;
    this.#emailsOfOthers = emailsElsewhere;
    this.lastIds = { lastGroupId, lastClientId };
    for (const group of existing.groups) this.#rememberGroup(group);
    for (const row of existing.clients) this.#remember({ row, before: row });
  }

  apply(row: ImportRow): RowOutcome {
    const group = this.#groupFor(row);
    if (typeof group === 'string') return { rejected: group };
    const { referenceId } = row;
    if (referenceId !== undefined && this.#existing.erasedReferences.has(referenceId)) {
      return { rejected: ERASED_REFERENCE };
    }
    const sameReference = referenceId === undefined ? undefined : this.#byReference.get(referenceId);
    const sameExternalId = this.#byExternalId.get(row.externalId ?? '');
    const sameEmail = this.#byEmail.get(emailKey(group.id, fold(row.email)));
    const client = sameReference ?? sameExternalId ?? sameEmail;
    if (!client && this.#rules.only === 'update')
      return { rejected: 'there is no such client, and only existing ones are updated' };
    if (!client) return this.#insert(row, group);
    // Without the reference of the other client, because a new reference would differ between a dry run and the import.
    if (sameExternalId && sameExternalId !== client) return { rejected: 'external_id belongs to another client' };
    if (sameEmail && sameEmail !== client) return { rejected: 'email belongs to another client of the same group' };
    // A row that is found by its email alone must not take over the client of another id.
    const isFoundByEmail = !sameReference && !sameExternalId && row.externalId;
    const ownId = client.row.external_id;
    if (isFoundByEmail && ownId !== null)
      return { rejected: `external_id is not ${quotedValue(ownId)}, which the client with this email has` };
    return this.#rules.only === 'insert' ? 'unchanged' : this.#update(client, row, group);
  }

  /** Adds a client, or returns the one that has its email in its group. Fails if another one has its external id. */
  add(client: Omit<NewClient, 'referenceId'>, at: number): { row: Row; group: GroupRow; added: boolean } {
    const known = this.#groupsByName.get(fold(client.groupName));
    const existing = known && this.#byEmail.get(emailKey(known.id, fold(client.email)));
    if (existing) return { row: existing.row, group: known, added: false };
    const owner = this.#byExternalId.get(client.externalId ?? '');
    if (owner) throw externalIdTaken(owner.row.reference_id);
    const group = known ?? this.#newGroup(client.groupName, at);
    this.#addGroup(group);
    const row = this.#insertRow(toColumns({ ...client, referenceId: this.#newReference() }), group);
    return { row, group, added: true };
  }

  groupWithToken(token: string): GroupRow | undefined {
    return this.#groupsByToken.get(token);
  }

  isEmpty(): boolean {
    return this.#changed.size === 0 && this.newGroups.length === 0;
  }

  /** The clients that were added or changed. */
  importedClients(): ImportedClient[] {
    return Array.from(this.#changed, ({ row, before }) => ({ id: row.id, isAdded: before === undefined }));
  }

  /** How many of the rows changed the status of a client. */
  statusChanges(): StatusChangeCount[] {
    return this.#statusChanges.list();
  }

  /** How many of the rows moved a client to another group, and which groups they made. */
  groupChanges(): GroupChangeSummary {
    return this.#groupChanges.summary();
  }

  /** Which of the rows gave a client another email. */
  emailChanges(): CountedRows {
    return this.#emailChanges;
  }

  /** Which of the rows added a client although a client of another group had its email. */
  emailsElsewhere(): CountedRows {
    return this.#emailsElsewhere;
  }

  /** Which of the rows changed a client that an earlier row had added or changed. */
  repeats(): CountedRows {
    return this.#repeats;
  }

  /** The ids of the clients that rows have added or changed, also of those that are now as they were before. */
  touchedClients(): number[] {
    return [...this.#touched];
  }

  changedClients(): Iterable<ChangedClient> {
    return this.#changed;
  }

  /** The fields for the history of the client. */
  changesOf({ row, before }: ChangedClient): { from?: EventFields; to?: EventFields } {
    if (!before) return { to: { request_status: REQUEST_STATUS.decode(row.request_status) } };
    return difference(this.#clientOf(before), this.#clientOf(row)) ?? {};
  }

  #insert(row: ImportRow, group: GroupRow): RowOutcome {
    this.#addGroup(group);
    const columns = toColumns({
      referenceId: row.referenceId ?? this.#newReference(),
      email: row.email,
      name: row.name,
      type: row.type,
      requestStatus: row.requestStatus ?? 'requested',
      status: row.status ?? 'active',
      createdAt: row.createdAt ?? this.#at,
      externalId: row.externalId ?? null,
    });
    // The group of the row has no client with this email, or the row would be about that one.
    const isElsewhere = this.#emailsOfOthers.has(columns.email_folded) || this.#holders.has(columns.email_folded);
    if (isElsewhere) this.#emailsElsewhere = withRow(this.#emailsElsewhere, row.line);
    this.#insertRow(columns, group);
    return 'inserted';
  }

  #insertRow(columns: ReturnType<typeof toColumns>, group: GroupRow): Row {
    const id = ++this.lastIds.lastClientId;
    const client = { row: { workspace_id: this.#workspaceId, id, group_id: group.id, ...columns } };
    this.#remember(client);
    this.#changed.add(client);
    this.#touched.add(id);
    return client.row;
  }

  #update(client: ChangedClient, row: ImportRow, group: GroupRow): RowOutcome {
    const current = this.#clientOf(client.row);
    const given: Statuses = this.#rules.keepsStatus ? {} : row;
    const { requestStatus = current.requestStatus, status = current.status } = given;
    const wanted = {
      ...client.row,
      ...toColumns({
        referenceId: current.referenceId,
        email: row.email,
        name: row.name,
        type: row.type,
        requestStatus,
        status,
        createdAt: row.createdAt ?? current.createdAt,
        externalId: row.externalId ?? current.externalId,
      }),
      group_id: group.id,
    };
    if (sameColumns(client.row, wanted)) return 'unchanged';
    this.#countRepeat(client.row.id, row);
    this.#countStatus(row, 'request_status', current.requestStatus, requestStatus);
    this.#countStatus(row, 'client_status', current.status, status);
    if (client.row.group_id !== group.id) {
      this.#groupChanges.addMove({ from: current.groupName, to: group.name, rows: 1, lines: [row.line] });
    }
    if (client.row.email_folded !== wanted.email_folded) {
      this.#emailChanges = withRow(this.#emailChanges, row.line);
    }
    this.#addGroup(group);
    this.#forget(client.row);
    client.row = wanted;
    this.#remember(client);
    // A client that ends as it was before the batch is not written, although single rows changed it.
    if (client.before && sameColumns(client.before, wanted)) this.#changed.delete(client);
    else this.#changed.add(client);
    return 'updated';
  }

  #countRepeat(id: number, { line }: ImportRow): void {
    if (this.#touched.has(id) || this.#earlier?.has(id)) this.#repeats = withRow(this.#repeats, line);
    this.#touched.add(id);
  }

  #countStatus({ line }: ImportRow, field: StatusField, from: string, to: string): void {
    if (from !== to) this.#statusChanges.add({ field, from, to, rows: 1, lines: [line] });
  }

  /** The group of the row, which is added only if the row is accepted, or the reason why the row is rejected. */
  #groupFor({ groupName, groupToken }: ImportRow): GroupRow | string {
    const group = this.#groupsByName.get(fold(groupName));
    if (group) {
      return groupToken === undefined || groupToken === group.token
        ? group
        : `group_token is not the token of the group ${group.name}`;
    }
    const owner = groupToken === undefined ? undefined : this.#groupsByToken.get(groupToken);
    if (owner) return `group_token belongs to the group ${owner.name}`;
    return this.#newGroup(groupName, this.#at, groupToken);
  }

  #newGroup(name: string, createdAt: number, token?: string): GroupRow {
    return newGroup({ workspaceId: this.#workspaceId, id: this.lastIds.lastGroupId + 1, name, createdAt, token });
  }

  #addGroup(group: GroupRow): void {
    if (this.#groupsById.has(group.id)) return;
    this.lastIds.lastGroupId = group.id;
    this.newGroups.push(group);
    this.#groupChanges.addNewGroup(group.name);
    this.#rememberGroup(group);
  }

  #rememberGroup(group: GroupRow): void {
    this.#groupsByName.set(group.name_folded, group);
    this.#groupsByToken.set(group.token, group);
    this.#groupsById.set(group.id, group);
  }

  #remember(client: ChangedClient): void {
    this.#byReference.set(client.row.reference_id, client);
    if (client.row.external_id !== null) this.#byExternalId.set(client.row.external_id, client);
    this.#byEmail.set(emailKey(client.row.group_id, client.row.email_folded), client);
    this.#countHolder(client.row, 1);
  }

  /** Its email and its external id may be those of others afterwards. */
  #forget(row: Row): void {
    this.#byEmail.delete(emailKey(row.group_id, row.email_folded));
    if (row.external_id !== null) this.#byExternalId.delete(row.external_id);
    this.#countHolder(row, -1);
  }

  #countHolder({ email_folded: email }: Row, more: 1 | -1): void {
    const count = (this.#holders.get(email) ?? 0) + more;
    if (count > 0) this.#holders.set(email, count);
    else this.#holders.delete(email);
  }

  #clientOf(row: Row) {
    const group = this.#groupsById.get(row.group_id);
    if (!group) throw new Error(`The group ${row.group_id} of client ${row.id} was not loaded.`);
    return toClient({ ...row, group_name: group.name, group_token: group.token });
  }
}

export function externalIdTaken(ownerReference: string): Failure {
  return new Failure('conflict', `external_id already belongs to another client (${ownerReference}).`);
}

function sameColumns(a: Row, b: Row): boolean {
  return (Object.keys(a) as (keyof Row)[]).every((column) => a[column] === b[column]);
}
