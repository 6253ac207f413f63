import { SAMPLE_CLIENTS, UNDONE } from '#contract/clients/index.ts';
import type { ActivityRecord } from '#contract/members/activity.ts';
import type { Action, ActionKind } from '#contract/members/index.ts';
import { countText } from '../count-text.ts';
import { importedFrom, isCorrection, quoted } from '../imported-from.ts';
import { actorText, CLIENT_STATUS_LABELS, labelOf, REQUEST_STATUS_LABELS } from '../labels.ts';
import { clientsExportText, isFilteredExport, logExportText } from './export-texts.ts';

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
  'sign-in.code-missing': 'Entered the right password, but no code yet',
  'sign-in.proved': 'Confirmed their identity',
  'sign-in.ended': 'Signed out',
  'denial.role': 'Was not allowed to send the request',
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
  'member.invitation-withdrawn': 'Withdrew the invitation of',
  'member.joined': '',
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
  'client.added': 'Added',
  'client.changed': 'Changed',
  'client.assigned': 'Changed the assignee of',
  'client.erased': 'Erased',
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

/** What a member did, as a sentence around what it is about. */
export interface Sentence {
  before: string;
  /** The subject of the entry, the client or clients that it is about, or nothing more than the sentence says. */
  about: 'subject' | 'clients' | 'nothing';
  after: string;
}

export function sentenceOf(entry: ActivityRecord): Sentence {
  const { action, subject, clients, unnamed_view: unnamed } = entry;
  if (unnamed !== null) return aboutUnnamedView(action, unnamed);
  if (clients === null && isAboutOneClient(action)) return aboutClients(ACTION_LABELS[action]);
  // When many clients are changed at once, the subject is what they were changed to.
  if (action === 'client.changed') return changeOfMany(subject);
  if (action === 'client.assigned') {
    return subject === 'nobody' ? aboutClients('Unassigned') : aboutClients('Assigned', ` to ${subject}`);
  }
  const role = hasRole(action) && roleIn(subject);
  if (role) return { before: ACTION_LABELS[action], about: 'subject', after: `${JOINING[action] ?? ''} as ${role}` };
  return {
    before: beginningOf(entry),
    about: hasOwnSubject(entry) ? 'subject' : 'nothing',
    after: endOf(entry),
  };
}

/** Nobody is told the name of a view that they do not see, and no name is left of one that was deleted. */
function aboutUnnamedView(action: Action, unnamed: 'private' | 'deleted'): Sentence {
  const verb = ACTION_LABELS[action].replace(/ the view$/, '');
  const deletedLater = action === 'view.removed' ? '' : ' that was deleted later';
  const view = unnamed === 'private' ? 'a private view' : `a view${deletedLater}`;
  return { before: `${verb} ${view}`, about: 'nothing', after: '' };
}

function endOf(entry: ActivityRecord): string {
  const { action, subject, clients, rejected_rows: rejected } = entry;
  if (action === 'group.merged' && clients !== null) return ` (${countText(clients, 'client', 'clients')})`;
  if (action !== 'client.imported') return '';
  // What was rejected is said where it was rejected, and not where it was corrected.
  const rows = rejected && !isCorrection(subject) ? ` (${countText(rejected, 'row', 'rows')} rejected)` : '';
  return rows + newGroupsText(entry);
}

function newGroupsText({ new_groups: made }: ActivityRecord): string {
  if (!made) return '';
  const names = [...made.names.map(quoted), ...(made.others > 0 ? [`${made.others.toLocaleString()} more`] : [])];
  const groups = made.names.length + made.others === 1 ? 'group' : 'groups';
  return `, and created the ${groups} ${new Intl.ListFormat('en').format(names)}`;
}

function isAboutOneClient(action: Action): boolean {
  return ['client.added', 'client.changed', 'client.assigned', 'client.erased'].includes(action);
}

function aboutClients(before: string, after = ''): Sentence {
  return { before, about: 'clients', after };
}

function changeOfMany(subject: string): Sentence {
  if (subject === UNDONE) return aboutClients('Undid a change of');
  const labels = { ...REQUEST_STATUS_LABELS, ...CLIENT_STATUS_LABELS };
  if (Object.hasOwn(labels, subject)) return aboutClients('Changed', ` to ${labelOf(labels, subject)}`);
  return aboutClients('Moved', ` to ${quoted(subject)}`);
}

function beginningOf({ action, subject, clients }: ActivityRecord): string {
  if (action === 'sign-in.failed')
    return ['Failed to sign in', meansIn(subject), timesIn(subject)].filter(Boolean).join(' ');
  if (action === 'client.imported') return subject === SAMPLE_CLIENTS ? 'Added' : importText(clients ?? 0);
  if (action === 'account.activity-exported' && isFilteredExport(subject))
    return 'Exported entries of the activity log';
  const changed = action === 'key.updated' && keySubject(subject)?.changed;
  return changed ? `Changed the ${listText(changed)} of API key` : ACTION_LABELS[action];
}

function importText(clients: number): string {
  return `Imported ${clients === 0 ? 'no clients' : countText(clients, 'client', 'clients')} from`;
}

/** The clients of an entry in words. */
export function clientsText({ action, client, clients }: ActivityRecord): string {
  if (client) return client.client_name ?? (action === 'client.erased' ? 'a client' : ERASED_CLIENT);
  return countText(clients ?? 1, 'client', 'clients');
}

export const ERASED_CLIENT = 'a client that was erased';

/** Entries about members whose subject ends with a role: `ann@firm.example as viewer`. */
const WITH_ROLE: readonly Action[] = ['member.invited', 'member.invitation-renewed', 'member.joined'];
const JOINING: Partial<Record<Action, string>> = { 'member.joined': ' joined' };

function hasRole(action: Action): boolean {
  return WITH_ROLE.includes(action);
}

function roleIn(subject: string): string | undefined {
  const [, role] = / as (owner|admin|viewer)$/.exec(subject) ?? [];
  return role && (role === 'viewer' ? `a ${role}` : `an ${role}`);
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
export function subjectText({ action, subject, clients, started_by_key: starter }: ActivityRecord): string {
  if (starter) return subject.replace(/(, started by )(\S+)$/, (_, before, id) => before + actorText(id, starter));
  if (hasRole(action)) return subject.replace(/ as \w+$/, '');
  if (action === 'client.imported') {
    return subject === SAMPLE_CLIENTS
      ? countText(clients ?? 0, 'sample client', 'sample clients')
      : importedFrom(subject);
  }
  if (action === 'client.exported') {
    const text = clientsExportText(subject);
    return clients === null ? text : text.replace(/^clients/, countText(clients, 'client', 'clients'));
  }
  if (action === 'account.activity-exported') return logExportText(subject, ACTION_KIND_LABELS);
  if (['group.created', 'group.deleted'].includes(action)) return quoted(subject);
  if (action === 'group.renamed' || action === 'group.merged') return pairText(subject, BETWEEN_NAMES[action]);
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

const BETWEEN_NAMES = { 'group.renamed': ' to ', 'group.merged': ' into ' } as const;

/** The record has both names with a word between them. When that word is also in a name, they cannot be told apart. */
function pairText(subject: string, word: string): string {
  const names = subject.split(word);
  return names.length === 2 ? names.map(quoted).join(word) : subject;
}

/** The name that the group had after what was done to it, unless it was deleted. Names that cannot be told apart are none. */
export function groupOf({ action, subject }: ActivityRecord): string | undefined {
  if (action === 'group.created') return subject;
  if (action !== 'group.renamed' && action !== 'group.merged') return undefined;
  const names = subject.split(BETWEEN_NAMES[action]);
  return names.length === 2 ? names[1] : undefined;
}

/** Where the subject of an entry is found, as long as it exists. Clients have pages of their own. */
const PAGES = {
  key: '/$environment/settings/api-credentials',
  group: '/$environment/groups',
  member: '/$environment/settings/members',
} as const;
const IMPORT_PAGE = '/$environment/import/$importId';
const KEY_PAGE = '/$environment/settings/api-credentials/$keyId';

const WITHOUT_PAGE: readonly Action[] = [
  ...(['group.deleted', 'key.tokens-ended'] as const),
  ...(['client.import-cancelled', 'client.change-cancelled'] as const),
  ...(['member.removed', 'member.invitation-withdrawn', 'member.set-up'] as const),
];

type SubjectPage = (typeof PAGES)[keyof typeof PAGES] | typeof IMPORT_PAGE | typeof KEY_PAGE;

export function pageOf({ action, import_id: importId, key_id: keyId }: ActivityRecord): SubjectPage | undefined {
  if (importId !== null) return IMPORT_PAGE;
  if (keyId !== null) return KEY_PAGE;
  const [kind = ''] = action.split('.');
  if (!(kind in PAGES) || WITHOUT_PAGE.includes(action)) return undefined;
  return PAGES[kind as keyof typeof PAGES];
}

/** Some actions concern only the member who did them, so their subject would repeat the member. */
function hasOwnSubject({ action, subject }: ActivityRecord): boolean {
  if (action === 'account.activity-exported') return subject !== '';
  // It is done on the command line, and the subject is the member whom it concerns.
  if (action === 'profile.second-factor-reset' || /^profile\.(passkey|identity)-/.test(action)) return true;
  return !/^(sign-in|profile)\.|^member\.set-up$/.test(action);
}
