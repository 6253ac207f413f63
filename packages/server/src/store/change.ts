import type { Transaction } from 'kysely';
import type { AccountCreation } from '../domain/account.ts';
import type { ChangeAccount, ChangeInstallation, ChangeWorkspace, InWorkspace, Occasion } from '../domain/change.ts';
import type { EpochChanges } from '../domain/epoch.ts';
import type { RowChanges } from '../domain/import-clients.ts';
import type { ClientChanges } from '../domain/manage-clients.ts';
import type { GroupChanges } from '../domain/manage-groups.ts';
import type { KeyChanges } from '../domain/manage-keys.ts';
import type { InvitationChanges, MemberChanges } from '../domain/manage-members.ts';
import type { ProfileChanges } from '../domain/manage-profile.ts';
import type { LinkChanges } from '../domain/one-time-link.ts';
import type { SessionChanges } from '../domain/session.ts';
import type { CodeChanges, LockedCredentials } from '../domain/sign-in.ts';
import type { SigningKeyChanges } from '../domain/signing-keys.ts';
import { accountCreationIn, findWorkspaceId } from './accounts.ts';
import { type Entry, newEntry, saveEntries } from './activity.ts';
import { keyChangesIn } from './api-keys.ts';
import { clientChangesIn } from './client-changes.ts';
import { rowChangesIn } from './client-import.ts';
import type { Levels } from './client-index/levels.ts';
import { rebuildIndex } from './client-index/rebuild.ts';
import type { WritingEngine } from './engines/engine.ts';
import { groupChangesIn } from './groups.ts';
import { renewEpoch } from './installation.ts';
import { lockedCredentialsIn, memberChangesIn } from './members.ts';
import { invitationChangesIn, linkChangesIn } from './one-time-links.ts';
import { codeChangesIn, profileChangesIn } from './profiles.ts';
import { sessionChangesIn } from './sessions.ts';
import { signingKeyChangesIn } from './signing-keys.ts';
import type { Tables } from './tables.ts';
import {
  AccountWork,
  type KeepBooks,
  lockAccount,
  lockInstallation,
  requireStillMember,
  type Work,
  WorkspaceWork,
} from './work.ts';

/** What can be done within a change of a workspace, of an account, and of the installation. */
export interface WorkspaceParts {
  clients: ClientChanges & RowChanges;
  groups: GroupChanges;
  keys: KeyChanges;
  /** Builds the counted index of the workspace anew. */
  rebuildIndex(): Promise<void>;
}

export interface AccountParts {
  members: MemberChanges;
  links: InvitationChanges;
  sessions: SessionChanges;
  profiles: ProfileChanges;
  codes: CodeChanges;
  credentials: LockedCredentials;
  inWorkspace: InWorkspace<WorkspaceParts>;
}

export interface InstallationParts extends EpochChanges {
  accounts: AccountCreation;
  links: LinkChanges;
  signingKeys: SigningKeyChanges;
}

export interface Seam {
  changeWorkspace: ChangeWorkspace<WorkspaceParts>;
  changeAccount: ChangeAccount<AccountParts>;
  changeInstallation: ChangeInstallation<InstallationParts>;
  keepBooks: KeepBooks;
}

/**
 * The seam for every change: nothing else opens a writing transaction, migrations apart. Locks are taken in the order
 * installation, account, workspace, so that no two changes wait for each other.
 */
export function openSeam(engine: WritingEngine, levels: Levels): Seam {
  const within = <T>({ actor, at }: Occasion, run: (work: Work) => Promise<T>): Promise<T> =>
    engine.write((db) => run({ engine, db, actor, at }));

  return {
    changeWorkspace: (occasion, run) =>
      within(occasion, (work) =>
        runInWorkspace(work, levels, occasion.workspaceId, async (change) => {
          await requireStillMember(work);
          return run(change);
        }),
      ),

    changeAccount: (occasion, run) =>
      within(occasion, async (outer) => {
        await lockAccount(outer, occasion.accountId);
        await requireStillMember(outer);
        const work = new AccountWork(outer, occasion.accountId);
        const result = await run({ ...accountParts(work, levels), record: work.record });
        await work.finish();
        return result;
      }),

    changeInstallation: (occasion, run) =>
      within(occasion, async (work) => {
        await lockInstallation(work.db);
        const entries: Entry[] = [];
        const created: number[] = [];
        const result = await run({
          accounts: accountCreationIn(work, (accountId) => created.push(accountId)),
          links: linkChangesIn(work),
          signingKeys: signingKeyChangesIn(work),
          renewEpoch: () => renewEpoch(work.db),
          record: (accountId, action, subject) =>
            entries.push(newEntry({ ...work, accountId }, { action, subject, environment: null })),
        });
        const isOnRecord = (accountId: number) => entries.some(({ account_id }) => account_id === accountId);
        if (!created.every(isOnRecord)) throw new Error('A new account was not put on record.');
        await saveEntries(work.db, entries);
        return result;
      }),

    keepBooks: (work) => engine.write(work),
  };
}

async function runInWorkspace<T>(
  outer: Work,
  levels: Levels,
  workspaceId: number,
  run: (change: WorkspaceParts & Pick<WorkspaceWork, 'record'>) => Promise<T>,
): Promise<T> {
  const work = await WorkspaceWork.begin(outer, levels, workspaceId);
  const result = await run({
    clients: { ...clientChangesIn(work), ...rowChangesIn(work) },
    groups: groupChangesIn(work),
    keys: keyChangesIn(work),
    rebuildIndex: () => rebuildIndex(work),
    record: work.record,
  });
  await work.finish();
  return result;
}

function accountParts(work: AccountWork, levels: Levels): AccountParts {
  return {
    members: memberChangesIn(work),
    links: invitationChangesIn(work),
    sessions: sessionChangesIn(work),
    profiles: profileChangesIn(work),
    codes: codeChangesIn(work),
    credentials: lockedCredentialsIn(work),
    inWorkspace: async (environment, run) =>
      runInWorkspace(work, levels, await findWorkspaceId(work.db, work.accountId, environment), run),
  };
}

/** Fills an empty database with what another one has: one change of the whole installation. */
export function fillDatabase<T>(engine: WritingEngine, fill: (db: Transaction<Tables>) => Promise<T>): Promise<T> {
  return engine.write(async (db) => {
    await lockInstallation(db);
    return fill(db);
  });
}
