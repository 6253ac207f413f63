import type { Action } from '../../../domain/action.ts';
import type { Actor } from '../../../domain/change.ts';
import type { ModelAccount, ModelEntry, ModelGroup, ModelWorkspace } from './state.ts';

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
  more: Partial<Pick<ModelEntry, 'environment' | 'clients' | 'partOf' | 'changed' | 'references' | 'newGroups'>> = {},
): void {
  const by = { at, member: actor.name, address: actor.address, requestId: actor.requestId ?? null };
  const nothing = {
    environment: null,
    clients: null,
    changed: null,
    references: null,
    importId: null,
    newGroups: null,
  };
  account.activity.push({ ...by, action, subject, ...nothing, ...more });
}

/** Increases the version of the workspace and adds an activity entry. */
export function recordChange(
  { account, workspace }: { account: ModelAccount; workspace: ModelWorkspace },
  context: ChangeContext,
  action: Action,
  subject: ModelEntry['subject'],
  more: Partial<Pick<ModelEntry, 'clients' | 'changed' | 'references'>> = {},
): void {
  workspace.version++;
  record(account, context, action, subject, { environment: workspace.environment, ...more });
}

/** The same for a part of a long change: parts that follow each other soon are combined into one entry, with the references of the first. */
export function recordPart(
  { account, workspace }: { account: ModelAccount; workspace: ModelWorkspace },
  context: ChangeContext,
  { action, subject, partOf }: Pick<ModelEntry, 'action' | 'subject'> & Required<Pick<ModelEntry, 'partOf'>>,
  clients: number,
  { references = null, madeGroups = [] }: { references?: string[] | null; madeGroups?: string[] } = {},
): void {
  workspace.version++;
  const { environment } = workspace;
  const earlier = account.activity.find(
    (entry) =>
      isSame(entry.partOf, partOf) &&
      entry.action === action &&
      entry.subject === subject &&
      entry.environment === environment &&
      entry.member === context.actor.name &&
      entry.address === context.actor.address &&
      Math.floor(entry.at / TEN_MINUTES_MS) === Math.floor(context.at / TEN_MINUTES_MS),
  );
  const newGroups = withMore(earlier?.newGroups ?? null, madeGroups);
  if (earlier) Object.assign(earlier, { clients: (earlier.clients ?? 0) + clients, newGroups });
  else record(account, context, action, subject, { environment, clients, partOf, references, newGroups });
}

/** Only the first ten names are shown. */
function withMore(newGroups: ModelEntry['newGroups'], madeGroups: readonly string[]): ModelEntry['newGroups'] {
  const names = [...(newGroups?.names ?? []), ...madeGroups];
  if (names.length === 0) return null;
  return { names: names.slice(0, 10), others: (newGroups?.others ?? 0) + Math.max(0, names.length - 10) };
}

function isSame(one: ModelEntry['partOf'], other: ModelEntry['partOf']): boolean {
  if (typeof one !== 'object' || typeof other !== 'object') return one === other;
  return isSameGroup(one.from, other.from) && isSameGroup(one.into, other.into);
}

/** A group that an import has made with the token of an earlier one is taken for the same. */
function isSameGroup(one: ModelGroup, other: ModelGroup): boolean {
  return one === other || (one.token !== '' && one.token === other.token);
}
