import type { KeyRecord } from '#contract/credentials/keys.ts';

/** The fields of a key that can be changed after it was created. */
export type KeyFields = Pick<KeyRecord, 'name' | 'note' | 'allowed_networks' | 'expires_at' | 'rate_limit'>;

export const KEY_FIELD_LABELS: Partial<Record<string, string>> = {
  allowed_networks: 'Allowed addresses',
  expires_at: 'Expiry',
};

/** Only what was changed, so that what others have changed meanwhile is kept. */
export function changedFields(before: KeyFields, after: KeyFields): Partial<KeyFields> {
  return Object.fromEntries(
    Object.entries(after).filter(([field, value]) => String(value) !== String(before[field as keyof KeyFields])),
  );
}
