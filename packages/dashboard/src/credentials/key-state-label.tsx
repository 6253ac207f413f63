import type { KeyRecord, KeyState } from '#contract/credentials/keys.ts';
import { Time } from '../components/time.tsx';

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
  const { state } = record;
  return (
    <span className="status">
      <i style={{ background: COLOURS[state] }} />
      {LABELS[state]}
    </span>
  );
}

/** Since when the key has been in its state, or what will end when. */
export function KeyStateTimes({ record }: { record: KeyRecord }) {
  return timesOf(record).map(([words, time, as]) => (
    <span key={words}>
      {words} <Time value={time} as={as} />
    </span>
  ));
}

type StateTime = [words: string, time: string, as: 'date' | 'date-time'];

function timesOf(record: KeyRecord): StateTime[] {
  const { state, revoked_at: revokedAt, expires_at: expiresAt, old_secret_ends_at: oldSecretEndsAt } = record;
  if (state === 'revoked') return revokedAt ? [['Since', revokedAt, 'date']] : [];
  if (state === 'expired') return expiresAt ? [['Since', expiresAt, 'date']] : [];
  const times: StateTime[] = [];
  if (state === 'rolling' && oldSecretEndsAt) times.push(['Old secret ends', oldSecretEndsAt, 'date-time']);
  if (expiresAt) times.push(['Expires', expiresAt, 'date']);
  return times;
}
