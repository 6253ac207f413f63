import type { Action } from './action.ts';
import type { Clock } from './clock.ts';
import type { Environment } from './environment.ts';

// The one way to change what is stored. Whatever the work writes, the histories and the entries on record that belong to
// it, and the version that caches go by are kept together, in one transaction, or not at all.

/** Who changes something, as histories and the activity log name them: a member by their email, or the operator. */
export interface Actor {
  name: string;
  address: string;
}

/** Whoever sits at the command line beside the database. */
export const OPERATOR: Actor = { name: 'operator', address: '' };

/** By whom and when. */
export interface Occasion {
  actor: Actor;
  at: number;
}

/** Who changes which workspace. */
export interface ChangeBy {
  workspaceId: number;
  actor: Actor;
}

export interface EntryDetails {
  /** Entries of one change that comes in pieces have the same id: they are kept as one, and its clients add up. */
  id?: string | undefined;
  /** How many clients it was about, when it was not one that the subject names. */
  clients?: number | undefined;
}

/** The work may be run again when it lost against another change, so it must change nothing but the store. */
type Work<Change, T> = (change: Change) => Promise<T>;

export interface WorkspaceRecorder {
  /** Puts the change on record; kept only if anything was changed, and whatever changes something must do so. */
  record(action: Action, subject: string, details?: EntryDetails): void;
}

/** Locks the workspace, so that changes to it happen one after the other and may read before they write. */
export type ChangeWorkspace<Parts> = <T>(
  occasion: Occasion & { workspaceId: number },
  work: Work<Parts & WorkspaceRecorder, T>,
) => Promise<T>;

export interface AccountRecorder {
  record(action: Action, subject: string, environment?: Environment | null): void;
}

/** Locks the account; a change of its workspaces may be a part of it. */
export type ChangeAccount<Parts> = <T>(
  occasion: Occasion & { accountId: number },
  work: Work<Parts & AccountRecorder, T>,
) => Promise<T>;

/** A change of one of the account's workspaces within a change of the account. */
export type InWorkspace<Parts> = <T>(environment: Environment, work: Work<Parts & WorkspaceRecorder, T>) => Promise<T>;

export interface InstallationRecorder {
  record(accountId: number, action: Action, subject: string): void;
}

/** Locks the installation, for what belongs to no account, or not yet. */
export type ChangeInstallation<Parts> = <T>(
  occasion: Occasion,
  work: Work<Parts & InstallationRecorder, T>,
) => Promise<T>;

export interface RecordDeps {
  changeAccount: ChangeAccount<object>;
  clock: Clock;
}

/** Puts on record what changed nothing: a refusal, or a file that was taken along. */
export function record(
  { changeAccount, clock }: RecordDeps,
  actor: Actor & { accountId: number },
  action: Action,
  subject: string,
  environment: Environment | null = null,
): Promise<void> {
  return changeAccount({ accountId: actor.accountId, actor, at: clock.now() }, async (change) =>
    change.record(action, subject, environment),
  );
}
