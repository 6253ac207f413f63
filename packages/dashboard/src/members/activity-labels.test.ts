import { expect, test } from 'vitest';
import type { Action } from '#contract/members/index.ts';
import { actionLabel, hasOwnSubject, pageOf, subjectText } from './activity-labels.ts';

const ENTRY = {
  at: '2026-01-31T09:30:00.000Z',
  member: 'owner@firm.example',
  address: '203.0.113.7',
  environment: 'production' as const,
  clients: null,
  request_id: null,
  changed: null,
};

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
  const entry = { ...ENTRY, action, subject };
  expect(`${actionLabel(entry)} ${subjectText(entry)}`).toBe(sentence);
});

test.each([
  ['client.assigned', '1700000000000-0001', 'Changed the assignee of client 1700000000000-0001'],
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
  const entry = { ...ENTRY, action, subject };
  expect(`${actionLabel(entry)} ${subjectText(entry)}`).toBe(sentence);
});

test.each([
  ['completed', 'Changed clients to Completed'],
  ['inactive', 'Changed clients to Inactive'],
  ['North', 'Changed clients to “North”'],
  ['what they were before', 'Changed clients to what they were before'],
])('a change of many clients to “%s” is told as a sentence', (subject, sentence) => {
  const entry = { ...ENTRY, action: 'client.changed', subject, clients: 3 } as const;
  expect(`${actionLabel(entry)} ${subjectText(entry)}`).toBe(sentence);
});

test('a reset of the installation’s secret says whose second factor it removed', () => {
  const entry = { ...ENTRY, action: 'profile.second-factor-reset', subject: 'ann@firm.example' } as const;
  expect(hasOwnSubject(entry.action)).toBe(true);
  expect(`${actionLabel(entry)} ${subjectText(entry)}`).toBe(
    'Reset the secret of the installation, which removed the second factor of ann@firm.example',
  );
});

test('refused sign-ins of one minute are told with their number', () => {
  const entry = { ...ENTRY, action: 'sign-in.failed' } as const;
  expect(actionLabel({ ...entry, subject: 'ann@firm.example' })).toBe('Failed to sign in');
  expect(actionLabel({ ...entry, subject: 'ann@firm.example (12 times)' })).toBe('Failed to sign in 12 times');
  expect(actionLabel({ ...entry, subject: 'ann@firm.example, with a passkey (2 times)' })).toBe(
    'Failed to sign in with a passkey 2 times',
  );
});

test('what members do to their own profiles is told without repeating their email', () => {
  const actions = ['sign-in.succeeded', 'member.set-up', 'profile.second-factor-removed', 'profile.password-changed'];
  expect(actions.filter((action) => hasOwnSubject(action as Action))).toEqual([]);
});

test('entries lead to what they are about, as long as it exists', () => {
  const entry = { ...ENTRY, subject: '1700000000000-0001' };
  const client = '/$environment/clients/$referenceId';
  expect(pageOf({ ...entry, action: 'client.added' })).toBe(client);
  expect(pageOf({ ...entry, action: 'client.changed' })).toBe(client);
  expect(pageOf({ ...entry, action: 'key.revoked' })).toBe('/$environment/settings/api-credentials');
  expect(pageOf({ ...entry, action: 'group.renamed' })).toBe('/$environment/groups');
  expect(pageOf({ ...entry, action: 'member.role-changed' })).toBe('/$environment/settings/members');
  expect(pageOf({ ...entry, action: 'client.changed', subject: 'completed', clients: 3 })).toBeUndefined();
  expect(pageOf({ ...entry, action: 'client.imported', clients: 3 })).toBeUndefined();
  for (const action of [
    'client.erased',
    'client.import-cancelled',
    'group.deleted',
    'member.removed',
    'sign-in.failed',
  ] as const) {
    expect(pageOf({ ...entry, action })).toBeUndefined();
  }
});
