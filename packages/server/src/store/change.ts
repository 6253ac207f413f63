import type { Transaction } from 'kysely';
import type {
  AccountRecorder,
  Awaitable,
  ChangeAccount,
  ChangeContext,
  ChangeInstallation,
  ChangeWorkspace,
  InWorkspace,
  WorkspaceRecorder,
} from '../domain/change.ts';
import {
  type AnswerAddition,
  type AnswerChange,
  type AnswerContext,
  type AnsweredRequest,
  type AssignmentChanges,
  answerOnce,
  type BulkChangeParts,
  type ChangeAnswer,
  type ClientChanges,
  createClient,
  type GroupChanges,
  type ImportChanges,
  type ManyChanges,
  type RowChanges,
  type ViewChanges,
} from '../domain/clients/index.ts';
import type { KeyChanges, SigningKeyChanges } from '../domain/credentials/index.ts';
import type { EpochChanges } from '../domain/epoch.ts';
import type { SealedChanges } from '../domain/installation-secrets.ts';
import type {
  AccountCreation,
  ChainHead,
  CodeChanges,
  CutChanges,
  IdentityChanges,
  InvitationChanges,
  LinkChanges,
  LockedCredentials,
  MailChanges,
  MemberChanges,
  PasskeyChanges,
  ProfileChanges,
  SecondFactorChanges,
  SessionChanges,
  SettingsChanges,
} from '../domain/members/index.ts';
import {
  addTogether,
  assignmentChangesIn,
  bulkChangePartsIn,
  ClientUnitOfWork,
  clientChangesIn,
  findAnswers,
  groupChangesIn,
  type IndexLevels,
  importChangesIn,
  keepAnswers,
  manyChangesIn,
  rebuildIndex,
  rebuildWords,
  rowChangesIn,
  storedFor,
  viewChangesIn,
  type WaitingAddition,
} from './clients/index.ts';
import { keyChangesIn, signingKeyChangesIn } from './credentials/index.ts';
import type { WritingEngine } from './engines/engine.ts';
import { INSTALLATION_ID, renewEpoch } from './installation.ts';
import { headOf, lockAccount, lockInstallation, lockWorkspace, requireLiveKey, requireStillMember } from './locks.ts';
import {
  accountCreationIn,
  appendEntries,
  codeChangesIn,
  cutChangesIn,
  type Entry,
  findWorkspaceId,
  identityChangesIn,
  invitationChangesIn,
  linkChangesIn,
  lockedCredentialsIn,
  mailChangesIn,
  memberChangesIn,
  newEntry,
  passkeyChangesIn,
  profileChangesIn,
  secondFactorChangesIn,
  sessionChangesIn,
  settingsChangesIn,
  withDetails,
} from './members/index.ts';
import { sealedChangesIn } from './sealed-columns.ts';
import type { Tables } from './tables.ts';
import type { AccountUnitOfWork, KeepBooks, UnitOfWork } from './unit-of-work.ts';
import { takeTurns, undoable, WorkspaceQueue } from './workspace-queue.ts';

/** The operations within a change to a workspace, to an account, and to the installation. */
export interface WorkspaceParts {
  clients: ClientChanges & ManyChanges & RowChanges;
  assignments: AssignmentChanges;
  groups: GroupChanges;
  imports: ImportChanges;
  bulkChanges: BulkChangeParts;
  keys: KeyChanges;
  /** Rebuilds the counted index of the workspace. */
  rebuildIndex(): Promise<void>;
}

export interface AccountParts {
  settings: SettingsChanges;
  members: MemberChanges;
  links: InvitationChanges;
  sessions: SessionChanges;
  profiles: ProfileChanges;
  codes: CodeChanges;
  credentials: LockedCredentials;
  mails: MailChanges;
  passkeys: PasskeyChanges;
  identities: IdentityChanges;
  views: ViewChanges;
  inWorkspace: InWorkspace<WorkspaceParts>;
}

export interface InstallationParts extends EpochChanges {
  accounts: AccountCreation;
  links: LinkChanges;
  signingKeys: SigningKeyChanges;
  secondFactors: SecondFactorChanges;
  sealed: SealedChanges;
  cuts: CutChanges;
  /** Makes the words of all clients anew. */
  rebuildWords(): Promise<void>;
}

export interface Seam {
  changeWorkspace: ChangeWorkspace<WorkspaceParts>;
  answerChange: AnswerChange<WorkspaceParts>;
  answerAddition: AnswerAddition;
  changeAccount: ChangeAccount<AccountParts>;
  changeInstallation: ChangeInstallation<InstallationParts>;
  keepBooks: KeepBooks;
}

/**
 * The seam through which every change goes: apart from migrations, nothing else opens a writing transaction. Locks are taken
 * in the order installation, account, workspace, member, so that changes cannot deadlock.
 */
export function openSeam(engine: WritingEngine, levels: IndexLevels): Seam {
  const within = <T>({ actor, at }: ChangeContext, run: (work: UnitOfWork) => Promise<T>): Promise<T> =>
    engine.write((db) => run({ engine, db, actor, at }));
  const queue = new WorkspaceQueue<WaitingAddition>(
    (work) => engine.write(work),
    (db, workspaceId, waiting) => addTogether({ engine, db, workspaceId, levels }, waiting),
  );
  const change = <T>(work: UnitOfWork, workspaceId: number, run: (change: WorkspaceChange) => Promise<T>): Promise<T> =>
    runInWorkspace(work, levels, workspaceId, async (parts) => {
      await requireStillMember(work);
      await requireLiveKey(work, workspaceId);
      const isAwaited = async () => {
        await takeTurns();
        // A change that asks may take long, and members are removed without waiting for it.
        await requireStillMember(work);
        return queue.isAwaited(workspaceId) || engine.isAwaited(work.db);
      };
      return run({ ...parts, isAwaited });
    });
  const answerIn =
    (context: AnswerContext, run: (change: WorkspaceChange) => Promise<ChangeAnswer>) =>
    async (db: Transaction<Tables>): Promise<AnsweredRequest> => {
      const { once, workspaceId, actor, at } = context;
      const work: UnitOfWork = { engine, db, actor, at };
      if (!once) return { answer: (await change(work, workspaceId, run)).answer, isRepeated: false };
      await lockWorkspace(db, workspaceId);
      const stored = storedFor(context, await findAnswers(work, workspaceId, [context]));
      const { toKeep, ...answered } = await answerOnce(once, stored, () =>
        undoable(db, () => change(work, workspaceId, run)),
      );
      if (toKeep) await keepAnswers(work, workspaceId, [{ ...toKeep, once, at }]);
      return answered;
    };

  return {
    changeWorkspace: ({ workspaceId, actor, at, isLong }, run) =>
      queue.add(workspaceId, (db) => change({ engine, db, actor, at }, workspaceId, run), { isLong }),

    answerChange: (context, run) => queue.add(context.workspaceId, answerIn(context, run)),

    answerAddition: (context, addition) => {
      const addAlone = answerIn(context, async (parts) => addition.answer(await createClient(parts, addition.check())));
      return queue.add(context.workspaceId, addAlone, { alike: { context, addition } });
    },

    changeAccount: (context, run) =>
      within(context, async (work) => {
        const head = await lockAccount(work, context.accountId);
        await requireStillMember(work);
        return runInAccount(work, levels, { accountId: context.accountId, head }, run);
      }),

    changeInstallation: (context, run) =>
      within(context, async (work) => {
        const head = await lockInstallation(work.db);
        const entries: Entry[] = [];
        const created: number[] = [];
        const result = await run({
          accounts: accountCreationIn(work, (accountId) => created.push(accountId)),
          links: linkChangesIn(work),
          signingKeys: signingKeyChangesIn(work),
          secondFactors: secondFactorChangesIn(work),
          sealed: sealedChangesIn(work),
          cuts: cutChangesIn(work),
          rebuildWords: () => rebuildWords(work),
          renewEpoch: () => renewEpoch(work.db),
          record: (accountId, action, subject) =>
            entries.push(newEntry({ ...work, accountId }, { action, subject, environment: null })),
          recordInstallation: (action, subject) =>
            entries.push(newEntry({ ...work, accountId: null }, { action, subject, environment: null })),
        });
        const isRecorded = (accountId: number) => entries.some(({ account_id }) => account_id === accountId);
        if (!created.every(isRecorded)) throw new Error('A new account was not recorded in the activity log.');
        await appendToInstallation(work, head, entries);
        await appendToAccounts(work, entries);
        return result;
      }),

    keepBooks: (work) => engine.write(work),
  };
}

type WorkspaceChange = WorkspaceParts & WorkspaceRecorder & Awaitable;

/** A change without an activity entry is a defect and is rolled back. An entry without a change is allowed. */
async function runInAccount<T>(
  outer: UnitOfWork,
  levels: IndexLevels,
  { accountId, head }: { accountId: number; head: ChainHead },
  run: (change: AccountParts & AccountRecorder) => Promise<T>,
): Promise<T> {
  let changed = false;
  const markChanged = () => {
    changed = true;
  };
  const work: AccountUnitOfWork = { ...outer, accountId, markChanged };
  const entries: Entry[] = [];
  const record: AccountRecorder['record'] = (action, subject, environment = null, details = {}) => {
    entries.push(newEntry(work, { action, subject, environment, ...details }));
  };
  const result = await run({ ...accountParts(work, levels), record });
  if (changed && entries.length === 0) throw new Error('A change to an account was not recorded in the activity log.');
  await appendToAccount(work, accountId, head, entries);
  return result;
}

async function appendToAccount(
  work: UnitOfWork,
  accountId: number,
  head: ChainHead,
  entries: readonly Entry[],
): Promise<void> {
  if (entries.length === 0) return;
  const { count, hash } = await appendEntries(work, `account:${accountId}`, head, entries);
  const columns = { activity_count: count, activity_hash: hash };
  await work.db.updateTable('accounts').set(columns).where('id', '=', accountId).execute();
}

async function appendToInstallation(work: UnitOfWork, head: ChainHead, entries: readonly Entry[]): Promise<void> {
  const own = entries.filter(({ account_id }) => account_id === null);
  if (own.length === 0) return;
  const { count, hash } = await appendEntries(work, 'installation', head, own);
  const columns = { activity_count: count, activity_hash: hash };
  await work.db.updateTable('installation').set(columns).where('id', '=', INSTALLATION_ID).execute();
}

/** For a change to the installation that concerns accounts. They are locked in the order of their ids. */
async function appendToAccounts(work: UnitOfWork, entries: readonly Entry[]): Promise<void> {
  const accountIds = [...new Set(entries.flatMap(({ account_id }) => account_id ?? []))].sort((a, b) => a - b);
  for (const accountId of accountIds) {
    const head = await lockAccount(work, accountId);
    const own = entries.filter(({ account_id }) => account_id === accountId);
    await appendToAccount(work, accountId, head, own);
  }
}

/** If nothing was changed, nothing is written, not even to the activity log. */
async function runInWorkspace<T>(
  outer: UnitOfWork,
  levels: IndexLevels,
  workspaceId: number,
  run: (change: WorkspaceParts & WorkspaceRecorder) => Promise<T>,
): Promise<T> {
  const row = await lockWorkspace(outer.db, workspaceId);
  const { account_id: accountId, environment } = row;
  const work = new ClientUnitOfWork(outer, levels, workspaceId, row);
  const entries: Entry[] = [];
  const result = await run({
    clients: { ...clientChangesIn(work), ...manyChangesIn(work), ...rowChangesIn(work) },
    assignments: assignmentChangesIn(work),
    groups: groupChangesIn(work),
    imports: importChangesIn(work),
    bulkChanges: bulkChangePartsIn(work),
    keys: keyChangesIn(work),
    rebuildIndex: () => rebuildIndex(work),
    record: (action, subject, details) => {
      entries.push(newEntry({ ...outer, accountId }, { action, subject, environment, ...details }));
    },
  });
  if (!work.changed) return result;
  if (entries.length === 0) throw new Error('A change to a workspace was not recorded in the activity log.');
  const { onlyChange } = work;
  const detailed = entries.map((entry) =>
    onlyChange && isChangeOfOne(entry) ? withDetails(entry, onlyChange) : entry,
  );
  await work.finish(await appendEntries(work, `workspace:${workspaceId}`, headOf(row), detailed));
  return result;
}

/** Only then the entry says what was changed. Otherwise only the histories of the clients do. */
function isChangeOfOne({ action, clients }: Entry): boolean {
  return action === 'client.changed' && clients === null;
}

function accountParts(work: AccountUnitOfWork, levels: IndexLevels): AccountParts {
  return {
    settings: settingsChangesIn(work),
    members: memberChangesIn(work),
    links: invitationChangesIn(work),
    sessions: sessionChangesIn(work),
    profiles: profileChangesIn(work),
    codes: codeChangesIn(work),
    credentials: lockedCredentialsIn(work),
    mails: mailChangesIn(work),
    passkeys: passkeyChangesIn(work),
    identities: identityChangesIn(work),
    views: viewChangesIn(work),
    inWorkspace: async (environment, run) =>
      runInWorkspace(work, levels, await findWorkspaceId(work.db, work.accountId, environment), run),
  };
}

/** Fills an empty database with the data of another one, as one change to the whole installation. */
export function fillDatabase<T>(engine: WritingEngine, fill: (db: Transaction<Tables>) => Promise<T>): Promise<T> {
  return engine.write(async (db) => {
    await lockInstallation(db);
    return fill(db);
  });
}
