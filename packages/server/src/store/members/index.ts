export { accountCreationIn, findWorkspaceId, openAccounts, settingsChangesIn } from './accounts.ts';
export { type Entry, newEntry, openActivity, saveEntries } from './activity.ts';
export { mailChangesIn, openMailQueue } from './mail-queue.ts';
export { lockedCredentialsIn, memberChangesIn, openCredentials, openMembers } from './members.ts';
export { invitationChangesIn, linkChangesIn, openOneTimeLinks } from './one-time-links.ts';
export { openPasskeys, passkeyChangesIn } from './passkeys.ts';
export { codeChangesIn, openProfiles, profileChangesIn, secondFactorChangesIn } from './profiles.ts';
export { openSessions, sessionChangesIn } from './sessions.ts';
export { openSignInAttempts } from './sign-in-attempts.ts';
