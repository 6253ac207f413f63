import type { Selectable } from 'kysely';
import { difference, type EventFields } from '../../domain/clients/client-event.ts';
import type { ImportRow, RowOutcome } from '../../domain/clients/import-clients.ts';
import { fold } from '../../domain/text.ts';
import type { Tables } from '../tables.ts';
import { toClient, toColumns } from './client-rows.ts';
import { REQUEST_STATUS } from './codes.ts';
import { type GroupRow, newGroup } from './groups.ts';
import type { Known } from './import-known.ts';

type Row = Selectable<Tables['clients']>;

export interface ImportedClient {
  row: Row;
  /** As it was before the batch; absent for a new client. */
  before?: Row;
}

interface BatchStart {
  workspaceId: number;
  known: Known;
  newReference(): string;
  /** The numbers that the workspace has handed out so far. */
  lastGroupId: number;
  lastClientId: number;
  at: number;
}

/** Decides, row by row and in memory, what a batch of an import changes. Later rows see what earlier ones did. */
export class ImportBatch {
  readonly newGroups: GroupRow[] = [];
  readonly numbers: { lastGroupId: number; lastClientId: number };
  readonly #workspaceId: number;
  readonly #at: number;
  readonly #known: Known;
  readonly #groupsByName = new Map<string, GroupRow>();
  readonly #groupsByToken = new Map<string, GroupRow>();
  readonly #groupsById = new Map<number, GroupRow>();
  readonly #byReference = new Map<string, ImportedClient>();
  readonly #byEmail = new Map<string, ImportedClient>();
  readonly #newReference: () => string;
  readonly #changed = new Set<ImportedClient>();

  constructor({ workspaceId, known, newReference, lastGroupId, lastClientId, at }: BatchStart) {
    this.#workspaceId = workspaceId;
    this.#at = at;
    this.#newReference = newReference;
    this.#known = known;
    this.numbers = { lastGroupId, lastClientId };
    for (const group of known.groups) this.#rememberGroup(group);
    for (const row of known.clients) this.#remember({ row, before: row });
  }

  apply(row: ImportRow): RowOutcome {
    const group = this.#groupFor(row);
    if (typeof group === 'string') return { rejected: group };
    const { referenceId } = row;
    if (referenceId !== undefined && this.#known.erasedReferences.has(referenceId)) {
      return { rejected: 'the client with this reference_id was erased' };
    }
    const sameEmail = this.#byEmail.get(emailKey(group.id, fold(row.email)));
    const client = (referenceId === undefined ? undefined : this.#byReference.get(referenceId)) ?? sameEmail;
    if (!client) return this.#insert(row, group);
    if (sameEmail && sameEmail !== client) {
      // Not by its reference: one that is made up along the way would differ between a dry run and the import.
      return { rejected: 'email belongs to another client of the group' };
    }
    return this.#update(client, row, group);
  }

  isEmpty(): boolean {
    return this.#changed.size === 0 && this.newGroups.length === 0;
  }

  /** How many clients are now other than before. */
  get clients(): number {
    return this.#changed.size;
  }

  changedClients(): Iterable<ImportedClient> {
    return this.#changed;
  }

  /** What the client's history will say. */
  changesOf({ row, before }: ImportedClient): { from?: EventFields; to?: EventFields } {
    if (!before) return { to: { request_status: REQUEST_STATUS.decode(row.request_status) } };
    return difference(this.#clientOf(before), this.#clientOf(row)) ?? {};
  }

  #insert(row: ImportRow, group: GroupRow): RowOutcome {
    this.#keepGroup(group);
    const columns = toColumns({
      referenceId: row.referenceId ?? this.#newReference(),
      email: row.email,
      name: row.name,
      type: row.type,
      requestStatus: row.requestStatus ?? 'requested',
      status: row.status ?? 'active',
      createdAt: row.createdAt ?? this.#at,
    });
    const id = ++this.numbers.lastClientId;
    const client = { row: { workspace_id: this.#workspaceId, id, group_id: group.id, ...columns } };
    this.#remember(client);
    this.#changed.add(client);
    return 'inserted';
  }

  #update(client: ImportedClient, row: ImportRow, group: GroupRow): RowOutcome {
    const current = this.#clientOf(client.row);
    const wanted = {
      ...client.row,
      ...toColumns({
        referenceId: current.referenceId,
        email: row.email,
        name: row.name,
        type: row.type,
        requestStatus: row.requestStatus ?? current.requestStatus,
        status: row.status ?? current.status,
        createdAt: row.createdAt ?? current.createdAt,
      }),
      group_id: group.id,
    };
    if (sameColumns(client.row, wanted)) return 'unchanged';
    this.#keepGroup(group);
    this.#byEmail.delete(emailKey(client.row.group_id, client.row.email_folded));
    client.row = wanted;
    this.#remember(client);
    // What ends as it began is written nowhere, although its rows did change something.
    if (client.before && sameColumns(client.before, wanted)) this.#changed.delete(client);
    else this.#changed.add(client);
    return 'updated';
  }

  /** The row's group, which may be one that is kept only if the row is; or why there cannot be one. */
  #groupFor({ groupName, groupToken }: ImportRow): GroupRow | string {
    const group = this.#groupsByName.get(fold(groupName));
    if (group) {
      return groupToken === undefined || groupToken === group.token
        ? group
        : `group_token is not that of the group ${group.name}`;
    }
    const owner = groupToken === undefined ? undefined : this.#groupsByToken.get(groupToken);
    if (owner) return `group_token belongs to the group ${owner.name}`;
    return newGroup({
      workspaceId: this.#workspaceId,
      id: this.numbers.lastGroupId + 1,
      name: groupName,
      createdAt: this.#at,
      token: groupToken,
    });
  }

  #keepGroup(group: GroupRow): void {
    if (this.#groupsById.has(group.id)) return;
    this.numbers.lastGroupId = group.id;
    this.newGroups.push(group);
    this.#rememberGroup(group);
  }

  #rememberGroup(group: GroupRow): void {
    this.#groupsByName.set(group.name_folded, group);
    this.#groupsByToken.set(group.token, group);
    this.#groupsById.set(group.id, group);
  }

  #remember(client: ImportedClient): void {
    this.#byReference.set(client.row.reference_id, client);
    this.#byEmail.set(emailKey(client.row.group_id, client.row.email_folded), client);
  }

  #clientOf(row: Row) {
    const group = this.#groupsById.get(row.group_id);
    if (!group) throw new Error(`The group ${row.group_id} of client ${row.id} was not loaded.`);
    return toClient({ ...row, group_name: group.name, group_token: group.token });
  }
}

/** What no two clients of a workspace share. */
export function emailKey(groupId: number, emailFolded: string): string {
  return `${groupId} ${emailFolded}`;
}

function sameColumns(a: Row, b: Row): boolean {
  return (Object.keys(a) as (keyof Row)[]).every((column) => a[column] === b[column]);
}
