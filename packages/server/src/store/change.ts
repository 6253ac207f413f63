import type { Transaction } from 'kysely';
import type {
  AccountRecorder,
  ChangeAccount,
  ChangeInstallation,
  ChangeWorkspace,
  InWorkspace,
  Occasion,
  WorkspaceRecorder,
} from '../domain/change.ts';
import type { ClientChanges, GroupChanges, RowChanges } from '../domain/clients/index.ts';
import type { KeyChanges, SigningKeyChanges } from '../domain/credentials/index.ts';
import type { EpochChanges } from '../domain/epoch.ts';
import type {
  AccountCreation,
  CodeChanges,
  InvitationChanges,
  LinkChanges,
  LockedCredentials,
  MemberChanges,
  ProfileChanges,
  SessionChanges,
} from '../domain/members/index.ts';
import {
  ClientWork,
  clientChangesIn,
  groupChangesIn,
  type Levels,
  rebuildIndex,
  rowChangesIn,
} from './clients/index.ts';
import { keyChangesIn, signingKeyChangesIn } from './credentials/index.ts';
import type { WritingEngine } from './engines/engine.ts';
import { renewEpoch } from './installation.ts';
import { lockAccount, lockInstallation, lockWorkspace, requireStillMember } from './locks.ts';
import {
  accountCreationIn,
  codeChangesIn,
  type Entry,
  findWorkspaceId,
  invitationChangesIn,
  linkChangesIn,
  lockedCredentialsIn,
  memberChangesIn,
  newEntry,
  profileChangesIn,
  saveEntries,
  sessionChangesIn,
} from './members/index.ts';
import type { Tables } from './tables.ts';
import type { AccountWork, KeepBooks, Work } from './work.ts';

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
      within(occasion, async (work) => {
        await lockAccount(work, occasion.accountId);
        await requireStillMember(work);
        return runInAccount(work, levels, occasion.accountId, run);
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

/** A change that is not put on record is our defect, and is not kept. What changed nothing may be on record all the same. */
async function runInAccount<T>(
  outer: Work,
  levels: Levels,
  accountId: number,
  run: (change: AccountParts & AccountRecorder) => Promise<T>,
): Promise<T> {
  let changed = false;
  const touch = () => {
    changed = true;
  };
  const work: AccountWork = { ...outer, accountId, touch };
  const entries: Entry[] = [];
  const record: AccountRecorder['record'] = (action, subject, environment = null) => {
    entries.push(newEntry(work, { action, subject, environment }));
  };
  const result = await run({ ...accountParts(work, levels), record });
  if (changed && entries.length === 0) throw new Error('A change of an account was not put on record.');
  await saveEntries(work.db, entries);
  return result;
}

/** Nothing is written, and nothing put on record, if nothing was changed. */
async function runInWorkspace<T>(
  outer: Work,
  levels: Levels,
  workspaceId: number,
  run: (change: WorkspaceParts & WorkspaceRecorder) => Promise<T>,
): Promise<T> {
  const row = await lockWorkspace(outer.db, workspaceId);
  const { account_id: accountId, environment } = row;
  const work = new ClientWork(outer, levels, workspaceId, row);
  const entries: Entry[] = [];
  const result = await run({
    clients: { ...clientChangesIn(work), ...rowChangesIn(work) },
    groups: groupChangesIn(work),
    keys: keyChangesIn(work),
    rebuildIndex: () => rebuildIndex(work),
    record: (action, subject, details) => {
      entries.push(newEntry({ ...outer, accountId }, { action, subject, environment, ...details }));
    },
  });
  if (!work.changed) return result;
  if (entries.length === 0) throw new Error('A change of a workspace was not put on record.');
  await saveEntries(work.db, entries);
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
