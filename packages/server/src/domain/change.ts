import type { Action, InstallationAction } from './action.ts';
import type { Clock } from './clock.ts';
import type { Environment } from './environment.ts';

// The only way to change stored data. What the work writes, the client histories and activity entries that belong to it, and
// the version that caches depend on are committed together in one transaction, or not at all.

/** Who makes a change, as named in histories and in the activity log: the email of a member, or "operator". */
export interface Actor {
  name: string;
  address: string;
  /** Of the request that makes the change, if it is one. */
  requestId?: string | undefined;
}

/** The person who uses the command line on the machine of the database. */
export const OPERATOR: Actor = { name: 'operator', address: '' };

/** Who makes a change, and when. */
export interface ChangeContext {
  actor: Actor;
  at: number;
}

/** Who makes a change, and in which workspace. */
export interface ChangeBy {
  workspaceId: number;
  actor: Actor;
}

export interface EntryDetails {
  /** The parts of an import, a merge or an export share an id. Their entries are shown as one, and their numbers of clients are added up. */
  id?: string | undefined;
  /** How many clients the change affected, unless it affected only the one that the subject names. */
  clients?: number | undefined;
  /** The clients that were changed together, or some of them if they are many. */
  references?: readonly string[] | undefined;
  /** The import to which the change belongs, if it has a page of its own. */
  importId?: string | undefined;
  /** The names of groups that an import has made, the first ones if they are many, and how many more there are. */
  newGroups?: { names: readonly string[]; others: number } | undefined;
  /** The values before and after, unless the change of a client has them already. */
  changed?: { from: Record<string, unknown>; to: Record<string, unknown> } | undefined;
}

/** The work may run again after a conflict with another change, so its only side effects may be those on the store. */
type Work<Change, T> = (change: Change) => Promise<T>;

export interface WorkspaceRecorder {
  /** Adds an entry to the activity log. It is stored only if something changed, and every change must add one. */
  record(action: Action, subject: string, details?: EntryDetails): void;
}

export interface Awaitable {
  /** Whether another change waits for this one, or may do so. A long change should then end soon and go on in a later one. */
  isAwaited(): Promise<boolean>;
}

/**
 * Locks the workspace, so that changes to it run one after the other and may read before they write. Long changes, which affect
 * many clients, take turns with all others.
 */
export type ChangeWorkspace<Parts> = <T>(
  context: ChangeContext & { workspaceId: number; isLong?: boolean | undefined },
  work: Work<Parts & WorkspaceRecorder & Awaitable, T>,
) => Promise<T>;

export interface AccountRecorder {
  record(action: Action, subject: string, environment?: Environment | null, details?: EntryDetails): void;
}

/** Locks the account. Changes to its workspaces may be part of the same change. */
export type ChangeAccount<Parts> = <T>(
  context: ChangeContext & { accountId: number },
  work: Work<Parts & AccountRecorder, T>,
) => Promise<T>;

/** A change to one of the account's workspaces within a change to the account. */
export type InWorkspace<Parts> = <T>(environment: Environment, work: Work<Parts & WorkspaceRecorder, T>) => Promise<T>;

export interface InstallationRecorder {
  record(accountId: number, action: Action, subject: string): void;
  /** The same for what concerns no account. */
  recordInstallation(action: InstallationAction, subject: string): void;
}

/** Locks the installation, for changes that do not belong to an account, or not yet. */
export type ChangeInstallation<Parts> = <T>(
  context: ChangeContext,
  work: Work<Parts & InstallationRecorder, T>,
) => Promise<T>;

export interface RecordDeps {
  changeAccount: ChangeAccount<object>;
  clock: Clock;
}

/** Adds an activity entry for something that changed no data, such as a denied request or an export. */
export function record(
  { changeAccount, clock }: RecordDeps,
  actor: Actor & { accountId: number },
  action: Action,
  subject: string,
  environment: Environment | null = null,
  { at = clock.now(), ...details }: EntryDetails & { at?: number } = {},
): Promise<void> {
  return changeAccount({ accountId: actor.accountId, actor, at }, async (change) =>
    change.record(action, subject, environment, details),
  );
}
