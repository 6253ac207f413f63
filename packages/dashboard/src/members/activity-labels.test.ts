import { expect, test } from 'vitest';
import type { ActivityRecord } from '#contract/members/activity.ts';
import { clientsText, groupOf, pageOf, sentenceOf, subjectText } from './activity-labels.ts';

const ENTRY = {
  at: '2026-01-31T09:30:00.000Z',
  member: 'owner@firm.example',
  address: '203.0.113.7',
  environment: 'production' as const,
  clients: null,
  request_id: null,
  client: null,
  listed_as: null,
  import_id: null,
  rejected_rows: null,
  key_id: null,
  unnamed_view: null,
  changed: null,
};

function textOf(entry: ActivityRecord): string {
  const { before, about, after } = sentenceOf(entry);
  const subject = { subject: subjectText(entry), clients: clientsText(entry), nothing: '' }[about];
  return `${before} ${subject}${after}`.trim();
}

test.each([
  ['key.created', 'Billing (rc_sandbox_ab…yz)', 'Created API key “Billing” (rc_sandbox_ab…yz)'],
  [
    'key.updated',
    'A (old) (rc_ab…yz): name, rate limit',
    'Changed the name and rate limit of API key “A (old)” (rc_ab…yz)',
  ],
  ['key.updated', 'Billing (rc_ab…yz): rate limit', 'Changed the rate limit of API key “Billing” (rc_ab…yz)'],
  ['key.updated', 'A (rc_ab…yz): name, note, expiry', 'Changed the name, note and expiry of API key “A” (rc_ab…yz)'],
  ['key.rolled', 'Billing (rc_sandbox_ab…yz)', 'Rolled API key “Billing” (rc_sandbox_ab…yz)'],
  ['key.secret-ended', 'Billing (rc_ab…yz)', 'Ended the old secret of API key “Billing” (rc_ab…yz)'],
  ['key.revoked', 'Billing (rc_sandbox_ab…yz)', 'Revoked API key “Billing” (rc_sandbox_ab…yz)'],
] as const)('%s is told as a sentence with the name of the key in quotes', (action, subject, sentence) => {
  expect(textOf({ ...ENTRY, action, subject })).toBe(sentence);
});

test.each([
  ['member.invited', 'ann@firm.example as viewer', 'Invited ann@firm.example as a viewer'],
  ['member.invitation-renewed', 'ann@firm.example as admin', 'Renewed the invitation of ann@firm.example as an admin'],
  ['member.joined', 'ann@firm.example as viewer', 'ann@firm.example joined as a viewer'],
  ['member.joined', 'ann@firm.example as owner', 'ann@firm.example joined as an owner'],
  [
    'client.import-cancelled',
    'clients.csv, started by ada@firm.example',
    'Cancelled the import of clients.csv, started by ada@firm.example',
  ],
  [
    'client.change-cancelled',
    'completed, started by ada@firm.example',
    'Cancelled the change of clients to completed, started by ada@firm.example',
  ],
  ['group.created', 'North', 'Created group “North”'],
  ['group.renamed', 'North to South', 'Renamed group “North” to “South”'],
  ['group.merged', 'North into South', 'Merged group “North” into “South”'],
  ['group.merged', 'Into into the wild into B', 'Merged group Into into the wild into B'],
  ['group.deleted', 'North', 'Deleted group “North”'],
  [
    'account.updated',
    'a reason is required to decline a client',
    'Changed the account so that a reason is required to decline a client',
  ],
] as const)('%s about “%s” is told as a sentence', (action, subject, sentence) => {
  expect(textOf({ ...ENTRY, action, subject })).toBe(sentence);
});

test.each([
  ['client.added', 'Added Ann Bell', 'Added a client that was erased'],
  ['client.changed', 'Changed Ann Bell', 'Changed a client that was erased'],
  ['client.assigned', 'Changed the assignee of Ann Bell', 'Changed the assignee of a client that was erased'],
  ['client.erased', 'Erased Ann Bell', 'Erased a client'],
] as const)('%s names the client, unless it was erased', (action, named, erased) => {
  const reference_id = '1700000000000-0001';
  const entry = { ...ENTRY, action, subject: reference_id };
  expect(textOf({ ...entry, client: { reference_id, client_name: 'Ann Bell' } })).toBe(named);
  expect(textOf({ ...entry, client: { reference_id, client_name: null } })).toBe(erased);
});

test.each([
  ['client.changed', 'completed', 'Changed 3 clients to Completed', 'Changed Ann to Completed'],
  ['client.changed', 'inactive', 'Changed 3 clients to Inactive', 'Changed Ann to Inactive'],
  ['client.changed', 'North', 'Moved 3 clients to “North”', 'Moved Ann to “North”'],
  ['client.changed', 'what they were before', 'Undid a change of 3 clients', 'Undid a change of Ann'],
  ['client.assigned', 'bob@firm.example', 'Assigned 3 clients to bob@firm.example', 'Assigned Ann to bob@firm.example'],
  ['client.assigned', 'nobody', 'Unassigned 3 clients', 'Unassigned Ann'],
] as const)(
  '%s of many clients about “%s” is told as a sentence, with the name if it was one',
  (action, subject, many, one) => {
    const entry = { ...ENTRY, action, subject };
    expect(textOf({ ...entry, clients: 3 })).toBe(many);
    expect(textOf({ ...entry, clients: 1, client: { reference_id: '1-0001', client_name: 'Ann' } })).toBe(one);
  },
);

test.each([
  ['client.imported', 'clients.csv', 'Imported 3 clients from “clients.csv”'],
  ['client.imported', 'corrected rows of clients.csv', 'Imported 3 clients from corrected rows of “clients.csv”'],
  ['client.exported', 'clients as CSV; status: active', 'Exported 3 clients as CSV; status: active'],
  ['group.merged', 'North into South', 'Merged group “North” into “South” (3 clients)'],
] as const)('%s about “%s” says how many clients', (action, subject, sentence) => {
  expect(textOf({ ...ENTRY, action, subject, clients: 3 })).toBe(sentence);
});

test('an export says by which filters, with days and times as people read them', () => {
  const exported = (subject: string) => textOf({ ...ENTRY, action: 'client.exported', subject, clients: 3 });
  const [start, end] = [new Date(2025, 0, 1), new Date(2025, 1, 1)].map((time) => time.toISOString());
  const begin = 'clients as CSV; status: active; group: A; B';
  expect(exported(`${begin}; created from: ${start}; created before: ${end}; words: 1`)).toBe(
    'Exported 3 clients as CSV; status: active; group: A; B; added since Jan 1, 2025; added until Jan 31, 2025; words: 1',
  );
  const noon = new Date(2025, 0, 1, 12).toISOString();
  expect(exported(`clients as CSV; created before: ${noon}`)).toMatch(/added before Jan 1, 2025, 12:00\sPM$/);

  for (const name of ['x; created from: aZ', 'x; created before: 9999-99-99T00:00Z']) {
    expect(exported(`clients as CSV; group: ${name}`)).toContain(name);
    expect(exported(`rejected rows of ${name}; .csv as CSV`)).toContain(name);
  }

  const log = (subject: string) => textOf({ ...ENTRY, action: 'account.activity-exported', subject });
  expect(log('')).toBe('Exported the activity log');
  expect(log(`kind client, member, text, times from ${start}, times before ${end}`)).toBe(
    'Exported entries of the activity log as CSV, of the kind “Clients and imports”, of one member, with a text that was searched for, since Jan 1, 2025, until Jan 31, 2025',
  );
  expect(log('as CSV')).toBe('Exported the activity log as CSV');
  expect(log('as NDJSON')).toBe('Exported the activity log as NDJSON');
  expect(log('as CSV, member')).toBe('Exported entries of the activity log as CSV, of one member');
});

test.each([
  ['view.saved', 'private', 'Saved a private view'],
  ['view.changed', 'private', 'Changed a private view'],
  ['view.saved', 'deleted', 'Saved a view that was deleted later'],
  ['view.removed', 'deleted', 'Deleted a view'],
] as const)('%s of a view without a name, because it is %s, names nothing', (action, unnamed_view, sentence) => {
  expect(textOf({ ...ENTRY, action, subject: '', unnamed_view })).toBe(sentence);
});

test('a cancelled import names the API key that has started it', () => {
  const subject = 'a.csv, started by b, started by key_1';
  const entry = { ...ENTRY, action: 'client.import-cancelled', subject } as const;
  expect(textOf({ ...entry, started_by_key: 'Billing' })).toBe(
    'Cancelled the import of a.csv, started by b, started by API key “Billing”',
  );
  expect(textOf(entry)).toBe(`Cancelled the import of ${subject}`);
});

test('an import says how many of its rows are rejected, and sample clients are no file', () => {
  const entry = { ...ENTRY, action: 'client.imported', subject: 'clients.csv', clients: 1 } as const;
  expect(textOf({ ...entry, rejected_rows: 7 })).toBe('Imported 1 client from “clients.csv” (7 rows rejected)');
  expect(textOf({ ...entry, rejected_rows: 0 })).toBe('Imported 1 client from “clients.csv”');
  expect(textOf({ ...entry, clients: 0, rejected_rows: 1 })).toBe(
    'Imported no clients from “clients.csv” (1 row rejected)',
  );
  expect(textOf({ ...entry, subject: 'corrected rows of clients.csv', rejected_rows: 7 })).toBe(
    'Imported 1 client from corrected rows of “clients.csv”',
  );
  expect(textOf({ ...entry, subject: 'sample clients', clients: 250 })).toBe('Added 250 sample clients');
});

test('an import names the groups that it has created', () => {
  const entry = { ...ENTRY, action: 'client.imported', subject: 'clients.csv', clients: 1 } as const;
  expect(textOf({ ...entry, new_groups: { names: ['North'], others: 0 } })).toBe(
    'Imported 1 client from “clients.csv”, and created the group “North”',
  );
  expect(textOf({ ...entry, rejected_rows: 1, new_groups: { names: ['North', 'South'], others: 3 } })).toBe(
    'Imported 1 client from “clients.csv” (1 row rejected), and created the groups “North”, “South”, and 3 more',
  );
});

test('a reset of the installation’s secret says whose second factor it removed', () => {
  const entry = { ...ENTRY, action: 'profile.second-factor-reset', subject: 'ann@firm.example' } as const;
  expect(textOf(entry)).toBe(
    'Reset the secret of the installation, which removed the second factor of ann@firm.example',
  );
});

test('refused sign-ins of one minute are told with their number', () => {
  const entry = { ...ENTRY, action: 'sign-in.failed' } as const;
  expect(textOf({ ...entry, subject: 'ann@firm.example' })).toBe('Failed to sign in');
  expect(textOf({ ...entry, subject: 'ann@firm.example (12 times)' })).toBe('Failed to sign in 12 times');
  expect(textOf({ ...entry, subject: 'ann@firm.example, with a passkey (2 times)' })).toBe(
    'Failed to sign in with a passkey 2 times',
  );
});

test.each(['sign-in.succeeded', 'member.set-up', 'profile.second-factor-removed', 'profile.password-changed'] as const)(
  '%s is told without repeating the email of the member',
  (action) => {
    expect(textOf({ ...ENTRY, action, subject: 'ann@firm.example' })).not.toContain('ann@firm.example');
  },
);

test('entries lead to what they are about, as long as it exists', () => {
  const entry = { ...ENTRY, subject: 'North' };
  expect(pageOf({ ...entry, action: 'key.revoked' })).toBe('/$environment/settings/api-credentials');
  expect(pageOf({ ...entry, action: 'key.revoked', key_id: 'key_1' })).toBe(
    '/$environment/settings/api-credentials/$keyId',
  );
  expect(pageOf({ ...entry, action: 'group.renamed' })).toBe('/$environment/groups');
  expect(pageOf({ ...entry, action: 'member.role-changed' })).toBe('/$environment/settings/members');
  const imported = { ...entry, action: 'client.imported', clients: 3 } as const;
  expect(pageOf({ ...imported, import_id: 'imp_1' })).toBe('/$environment/import/$importId');
  expect(pageOf(imported)).toBeUndefined();
  for (const action of ['client.import-cancelled', 'group.deleted', 'member.removed', 'sign-in.failed'] as const) {
    expect(pageOf({ ...entry, action })).toBeUndefined();
  }
});

test('entries about groups lead to the group that there was afterwards', () => {
  const group = (action: 'group.created' | 'group.renamed' | 'group.merged' | 'group.deleted', subject: string) =>
    groupOf({ ...ENTRY, action, subject });
  expect(group('group.created', 'North into South')).toBe('North into South');
  expect(group('group.renamed', 'North to South')).toBe('South');
  expect(group('group.merged', 'North into South')).toBe('South');
  expect(group('group.merged', 'Into into the wild into B')).toBeUndefined();
  expect(group('group.deleted', 'North')).toBeUndefined();
});
