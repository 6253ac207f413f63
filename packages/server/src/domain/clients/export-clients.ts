import { randomUUID } from 'node:crypto';
import { type Actor, type RecordDeps, record } from '../change.ts';
import type { Environment } from '../environment.ts';
import { formatTime } from '../time.ts';
import type { Client } from './client.ts';
import { type ClientSearch, normaliseFilter } from './client-filter.ts';
import type { Groups } from './manage-groups.ts';

export interface ClientExports {
  /** Reads all matching clients from one snapshot, oldest first, in batches. When the signal is aborted, it throws the reason. */
  readAll(workspaceId: number, search: ClientSearch, signal?: AbortSignal): AsyncGenerator<Client[], void>;
}

/** Oldest first, so that importing an exported file restores the order of the clients. */
export function exportClients(
  deps: { clients: ClientExports },
  workspaceId: number,
  search: ClientSearch,
  signal?: AbortSignal,
): AsyncGenerator<Client[], void> {
  return deps.clients.readAll(workspaceId, { ...normaliseFilter(search), words: search.words }, signal);
}

interface ExportRequest {
  workspaceId: number;
  environment: Environment;
  format: 'csv' | 'ndjson';
  search: ClientSearch;
}

/**
 * An export changes nothing, but it is recorded, because personal data leaves the installation with it: with its filter before
 * it begins, and with the number of clients when it is over. Returns the function that records the end.
 */
export async function recordExport(
  deps: RecordDeps & { groups: Groups },
  actor: Actor & { accountId: number },
  { workspaceId, environment, format, search }: ExportRequest,
): Promise<(clients: number) => Promise<void>> {
  const groupNames = await namesOfGroups(deps, workspaceId, search);
  const subject = [`clients as ${format.toUpperCase()}`, ...filterTexts(search, groupNames)].join('; ');
  const part = { id: randomUUID(), at: deps.clock.now() };
  await record(deps, actor, 'client.exported', subject, environment, part);
  // Recorded even if the member has left in the meantime.
  const { accountId, name, address, requestId } = actor;
  const exporter = { accountId, name, address, requestId };
  return (clients) => record(deps, exporter, 'client.exported', subject, environment, { ...part, clients });
}

/** As people know the groups of a filter. A token that no group has stays. */
async function namesOfGroups(
  { groups }: { groups: Groups },
  workspaceId: number,
  { groupName, groupTokens }: ClientSearch,
): Promise<string | undefined> {
  if (groupName !== undefined || groupTokens === undefined) return groupName;
  const names = new Map((await groups.list(workspaceId)).map(({ token, name }) => [token, name]));
  return groupTokens.map((token) => names.get(token) ?? token).join(', ');
}

/** What was asked for, without what may be personal data. */
function filterTexts(search: ClientSearch, groupNames: string | undefined): string[] {
  const { requestStatuses, clientType, clientStatus, createdFrom, createdUntil } = search;
  const named: [string, string | undefined][] = [
    ['request status', requestStatuses?.join(', ')],
    ['type', clientType],
    ['status', clientStatus],
    ['group', groupNames],
    ['created from', createdFrom === undefined ? undefined : formatTime(createdFrom)],
    ['created before', createdUntil === undefined ? undefined : formatTime(createdUntil)],
    ['email', search.email === undefined ? undefined : 'one'],
    ['references', search.referenceIds && String(search.referenceIds.length)],
    ['external ids', search.externalIds && String(search.externalIds.length)],
    ['words', search.words && String(search.words.length)],
  ];
  return named.flatMap(([name, value]) => (value === undefined ? [] : `${name}: ${value}`));
}

/** The rows that an import has rejected contain what the file said about clients. */
export function recordRejectsExport(
  deps: RecordDeps,
  actor: Actor & { accountId: number },
  environment: Environment,
  fileName: string,
): Promise<void> {
  return record(deps, actor, 'client.exported', `rejected rows of ${fileName} as CSV`, environment);
}
