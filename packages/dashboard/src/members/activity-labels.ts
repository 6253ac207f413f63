import { UNDONE } from '#contract/clients/index.ts';
import type { ActivityRecord } from '#contract/members/activity.ts';
import type { Action, ActionKind } from '#contract/members/index.ts';
import { CLIENT_STATUS_LABELS, labelOf, REQUEST_STATUS_LABELS } from '../labels.ts';

export const ACTION_KIND_LABELS: Record<ActionKind, string> = {
  'sign-in': 'Sign-ins',
  denial: 'Refused actions',
  key: 'API keys',
  member: 'Members',
  profile: 'Profiles',
  account: 'Account settings',
  client: 'Clients and imports',
  group: 'Groups',
  view: 'Saved views',
  workspace: 'Maintenance',
};

const ACTION_LABELS: Record<Action, string> = {
  'sign-in.succeeded': 'Signed in',
  'sign-in.failed': 'Failed to sign in',
  'sign-in.code-missing': 'Entered the right password and no code yet',
  'sign-in.proved': 'Confirmed that it was them',
  'sign-in.ended': 'Signed out',
  'denial.role': 'Was refused permission for',
  'key.created': 'Created API key',
  'key.updated': 'Changed API key',
  'key.rolled': 'Rolled API key',
  'key.secret-ended': 'Ended the old secret of API key',
  'key.revoked': 'Revoked API key',
  'key.tokens-ended': 'Reset the secret of the installation, which ended',
  'member.set-up': 'Set up the account',
  'member.invited': 'Invited',
  'member.invitation-renewed': 'Renewed the invitation of',
  'member.session-ended': 'Signed out a browser of',
  'member.invitation-withdrawn': 'Withdrew the invitation for',
  'member.joined': 'Joined:',
  'member.role-changed': 'Changed the role of',
  'member.removed': 'Removed member',
  'member.reset-offered': 'Created a password reset link for',
  'profile.password-changed': 'Changed their password',
  'profile.password-forgotten': 'Asked for a link to set a new password',
  'profile.password-reset': 'Set a new password with a reset link',
  'profile.second-factor-added': 'Added a second factor',
  'profile.second-factor-removed': 'Removed their second factor',
  'profile.second-factor-reset': 'Reset the secret of the installation, which removed the second factor of',
  'profile.identity-linked': 'Signed in for the first time through',
  'profile.passkey-added': 'Added the passkey',
  'profile.passkey-removed': 'Removed the passkey',
  'profile.recovery-codes-made': 'Made new recovery codes',
  'profile.recovery-code-used': 'Used a recovery code',
  'profile.session-revoked': 'Signed out one of their browsers',
  'client.added': 'Added client',
  'client.changed': 'Changed client',
  'client.assigned': 'Changed the assignee of client',
  'client.erased': 'Erased client',
  'client.imported': 'Imported',
  'client.import-cancelled': 'Cancelled the import of',
  'client.change-cancelled': 'Cancelled the change of clients to',
  'client.exported': 'Exported',
  'group.created': 'Created group',
  'group.renamed': 'Renamed group',
  'group.merged': 'Merged group',
  'group.deleted': 'Deleted group',
  'view.saved': 'Saved the view',
  'view.changed': 'Changed the view',
  'view.removed': 'Deleted the view',
  'account.updated': 'Changed the account so that',
  'account.activity-exported': 'Exported the activity log',
  'workspace.index-rebuilt': 'Rebuilt the counted index',
};

/** What a member did, as the beginning of a sentence that ends with the subject of the entry. */
export function actionLabel({ action, subject, clients }: ActivityRecord): string {
  // When many clients are changed at once, the subject is what they were changed to.
  if (action === 'client.changed' && clients !== null) return 'Changed clients to';
  if (action === 'client.assigned' && clients !== null) return 'Assigned clients to';
  if (action === 'sign-in.failed')
    return ['Failed to sign in', meansIn(subject), timesIn(subject)].filter(Boolean).join(' ');
  const changed = action === 'key.updated' && keySubject(subject)?.changed;
  return changed ? `Changed the ${listText(changed)} of API key` : ACTION_LABELS[action];
}

/** How somebody tried to sign in, if not with a password. */
function meansIn(subject: string): string | undefined {
  return /, (with a passkey)(?: \(\d+ times\))?$/.exec(subject)?.[1];
}

/** Refused sign-ins of one minute are one entry, which ends with how often: `(12 times)`. */
function timesIn(subject: string): string | undefined {
  return / \((\d+ times)\)$/.exec(subject)?.[1];
}

/** The subject of an entry, with the names that members have given to things in quotes. */
export function subjectText({ action, subject, clients }: ActivityRecord): string {
  if (action === 'client.changed' && clients !== null) {
    if (subject === UNDONE) return subject;
    const labels = { ...REQUEST_STATUS_LABELS, ...CLIENT_STATUS_LABELS };
    return Object.hasOwn(labels, subject) ? labelOf(labels, subject) : quoted(subject);
  }
  if (['group.created', 'group.deleted', 'client.imported'].includes(action)) return quoted(subject);
  if (action === 'group.renamed') return pairText(subject, ' to ');
  if (action === 'group.merged') return pairText(subject, ' into ');
  const key = action.startsWith('key.') && keySubject(subject);
  return key ? `${quoted(key.name)} ${key.preview}` : subject;
}

/** The record has the name of the key, its preview in brackets and, after a change, the names of the changed fields. */
function keySubject(subject: string): { name: string; preview: string; changed: string[] | undefined } | undefined {
  const [, name, preview, changed] = /^(.+) (\([^()]*\))(?:: ([a-z, ]+))?$/.exec(subject) ?? [];
  return name !== undefined && preview !== undefined ? { name, preview, changed: changed?.split(', ') } : undefined;
}

/** Such as `name, note and expiry`. */
function listText(words: readonly string[]): string {
  return [words.slice(0, -1).join(', '), ...words.slice(-1)].filter((part) => part !== '').join(' and ');
}

/** The record has both names with a word between them. When that word is also in a name, they cannot be told apart. */
function pairText(subject: string, word: string): string {
  const names = subject.split(word);
  return names.length === 2 ? names.map(quoted).join(word) : subject;
}

function quoted(name: string): string {
  return `“${name}”`;
}

/** Where the subject of an entry is found, as long as it exists. Entries name only clients in a way that leads to their own page. */
const PAGES = {
  client: '/$environment/clients/$referenceId',
  key: '/$environment/settings/api-credentials',
  group: '/$environment/groups',
  member: '/$environment/settings/members',
} as const;

const WITHOUT_PAGE: readonly Action[] = [
  ...(['client.erased', 'client.imported', 'client.exported', 'group.deleted', 'key.tokens-ended'] as const),
  ...(['client.import-cancelled', 'client.change-cancelled'] as const),
  ...(['member.removed', 'member.invitation-withdrawn', 'member.set-up'] as const),
];

export function pageOf({ action, clients }: ActivityRecord): (typeof PAGES)[keyof typeof PAGES] | undefined {
  const [kind = ''] = action.split('.');
  if (!(kind in PAGES) || WITHOUT_PAGE.includes(action)) return undefined;
  // The subject of a change of many clients is what they were changed to.
  return kind === 'client' && clients !== null ? undefined : PAGES[kind as keyof typeof PAGES];
}

/** Some actions concern only the member who did them, so their subject would repeat the member. */
export function hasOwnSubject(action: Action): boolean {
  // It is done on the command line, and the subject is the member whom it concerns.
  if (action === 'profile.second-factor-reset' || /^profile\.(passkey|identity)-/.test(action)) return true;
  return !/^(sign-in|profile)\.|^member\.set-up$|^account\.activity-exported$/.test(action);
}
