import { Fragment, type ReactNode } from 'react';
import type { KeyRecord } from '#contract/credentials/keys.ts';
import { Time } from '../components/time.tsx';
import { isUsable, type KeyState, stateOf } from './key-state.ts';

const LABELS: Record<KeyState, string> = {
  active: 'Active',
  rolling: 'Rolling',
  expired: 'Expired',
  revoked: 'Revoked',
};

const COLOURS: Record<KeyState, string> = {
  active: 'var(--mantine-color-teal-6)',
  rolling: 'var(--mantine-color-yellow-6)',
  expired: 'var(--mantine-color-gray-5)',
  revoked: 'var(--mantine-color-red-6)',
};

/** A dot in the colour of the state and its name, so that nobody has to tell colours apart. */
export function KeyStateLabel({ record }: { record: KeyRecord }) {
  const state = stateOf(record);
  return (
    <span className="status">
      <i style={{ background: COLOURS[state] }} />
      {LABELS[state]}
    </span>
  );
}

/** Since when the key has been in its state, or what will end when. */
export function KeyStateTimes({ record, separator }: { record: KeyRecord; separator: ReactNode }) {
  return timesOf(record).map(([words, time], index) => (
    <Fragment key={words}>
      {index > 0 && separator}
      {words} <Time value={time} as={words === 'Old secret ends' ? 'date-time' : 'date'} />
    </Fragment>
  ));
}

function timesOf(record: KeyRecord): [words: string, time: string][] {
  const state = stateOf(record);
  const { revoked_at: revokedAt, expires_at: expiresAt, old_secret_ends_at: oldSecretEndsAt } = record;
  if (state === 'revoked' && revokedAt) return [['Since', revokedAt]];
  if (state === 'expired' && expiresAt) return [['Since', expiresAt]];
  const times: [string, string][] = [];
  if (state === 'rolling' && oldSecretEndsAt) times.push(['Old secret ends', oldSecretEndsAt]);
  if (isUsable(state) && expiresAt) times.push(['Expires', expiresAt]);
  return times;
}
