import type { Action } from '../../../domain/action.ts';
import type { Actor } from '../../../domain/change.ts';
import type { ModelAccount, ModelEntry, ModelWorkspace } from './state.ts';

const TEN_MINUTES_MS = 600_000;

export interface ChangeContext {
  at: number;
  actor: Actor;
}

/** Adds an entry to the activity log of the account. */
export function record(
  account: ModelAccount,
  { at, actor }: ChangeContext,
  action: Action,
  subject: ModelEntry['subject'],
  more: Partial<Pick<ModelEntry, 'environment' | 'clients' | 'importId'>> = {},
): void {
  const entry = { at, member: actor.name, address: actor.address, action, subject, environment: null, clients: null };
  account.activity.push({ ...entry, ...more });
}

/** Increases the version of the workspace and adds an activity entry. */
export function recordChange(
  { account, workspace }: { account: ModelAccount; workspace: ModelWorkspace },
  context: ChangeContext,
  action: Action,
  subject: ModelEntry['subject'],
  clients: number | null = null,
): void {
  workspace.version++;
  record(account, context, action, subject, { environment: workspace.environment, clients });
}

/** The same for a part of an import: parts that follow each other soon are combined into one entry. */
export function recordImport(
  { account, workspace }: { account: ModelAccount; workspace: ModelWorkspace },
  context: ChangeContext,
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
      entry.member === context.actor.name &&
      entry.address === context.actor.address &&
      Math.floor(entry.at / TEN_MINUTES_MS) === Math.floor(context.at / TEN_MINUTES_MS),
  );
  if (earlier) earlier.clients = (earlier.clients ?? 0) + clients;
  else record(account, context, 'client.imported', name, { environment, clients, importId: id });
}
