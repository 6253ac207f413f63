import { expect, test } from 'vitest';
import { actionLabel, subjectText } from './activity-labels.ts';

const ENTRY = {
  at: '2026-01-31T09:30:00.000Z',
  member: 'owner@firm.example',
  address: '203.0.113.7',
  environment: 'production' as const,
  clients: null,
};

test.each([
  ['key.created', 'Billing (rc_sandbox_ab…yz)', 'Created API key “Billing” (rc_sandbox_ab…yz)'],
  ['key.updated', 'A (old) (rc_ab…yz): name, rate limit', 'Changed API key “A (old)” (rc_ab…yz): name, rate limit'],
  ['key.rolled', 'Billing (rc_sandbox_ab…yz)', 'Rolled API key “Billing” (rc_sandbox_ab…yz)'],
  ['key.secret-ended', 'Billing (rc_ab…yz)', 'Ended the old secret of API key “Billing” (rc_ab…yz)'],
  ['key.revoked', 'Billing (rc_sandbox_ab…yz)', 'Revoked API key “Billing” (rc_sandbox_ab…yz)'],
] as const)('%s is told as a sentence with the name of the key in quotes', (action, subject, sentence) => {
  const entry = { ...ENTRY, action, subject };
  expect(`${actionLabel(entry)} ${subjectText(entry)}`).toBe(sentence);
});
