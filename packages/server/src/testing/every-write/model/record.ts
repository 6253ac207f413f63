import type { Action } from '../../../domain/action.ts';
import type { Actor } from '../../../domain/change.ts';
import type { ModelAccount, ModelEntry, ModelWorkspace } from './state.ts';

const TEN_MINUTES_MS = 600_000;

export interface Occasion {
  at: number;
  actor: Actor;
}

/** Puts something on the account's record. */
export function record(
  account: ModelAccount,
  { at, actor }: Occasion,
  action: Action,
  subject: ModelEntry['subject'],
  more: Partial<Pick<ModelEntry, 'environment' | 'clients' | 'importId'>> = {},
): void {
  const entry = { at, member: actor.name, address: actor.address, action, subject, environment: null, clients: null };
  account.activity.push({ ...entry, ...more });
}

/** Something of the workspace has changed: that has a number, and is on record. */
export function recordChange(
  { account, workspace }: { account: ModelAccount; workspace: ModelWorkspace },
  occasion: Occasion,
  action: Action,
  subject: ModelEntry['subject'],
  clients: number | null = null,
): void {
  workspace.version++;
  record(account, occasion, action, subject, { environment: workspace.environment, clients });
}

/** The same for a piece of an import: pieces that come soon after each other add up in one entry. */
export function recordImport(
  { account, workspace }: { account: ModelAccount; workspace: ModelWorkspace },
  occasion: Occasion,
  { id, name }: { id: string; name: string },
  clients: number,
): void {
  workspace.version++;
  const { environment } = workspace;
  const earlier = account.activity.find(
    (entry) =>
      entry.importId === id &&
      entry.subject === name &&
      entry.environment === environment &&
      entry.member === occasion.actor.name &&
      entry.address === occasion.actor.address &&
      Math.floor(entry.at / TEN_MINUTES_MS) === Math.floor(occasion.at / TEN_MINUTES_MS),
  );
  if (earlier) earlier.clients = (earlier.clients ?? 0) + clients;
  else record(account, occasion, 'client.imported', name, { environment, clients, importId: id });
}
