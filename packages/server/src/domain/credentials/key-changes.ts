import type { ApiKey, KeySecret } from './api-key.ts';

/** What can be changed after a key was created. */
export interface KeyFields {
  name: string;
  note: string;
  allowedNetworks: readonly string[];
  expiresAt: number | null;
  rateLimit: string | null;
}

/** A key without what the store adds. */
export type NewKey = Omit<ApiKey, 'version' | 'secrets' | 'lastUsedAt' | 'lastUsedFrom' | 'revokedAt'>;

/** Changes to API keys within a change to their workspace. Each of them returns the key as it is afterwards. */
export interface KeyChanges {
  find(keyId: string): Promise<ApiKey | undefined>;
  /** How many keys the workspace has, revoked ones included. */
  count(): Promise<number>;
  /** Deletes the key that was revoked first, if that was before the time. Returns whether there was one. */
  removeOldestRevoked(before: number): Promise<boolean>;
  /** The keys created by this member that have not been revoked, oldest first. */
  createdBy(email: string): Promise<ApiKey[]>;
  create(key: NewKey, secret: KeySecret, hash: string): Promise<ApiKey>;
  update(keyId: string, fields: KeyFields): Promise<ApiKey>;
  /** Adds a secret and stores when the others end. Only the newest `keep` secrets are kept. */
  roll(
    keyId: string,
    change: { added: KeySecret; hash: string; ends: readonly KeySecret[]; keep: number },
  ): Promise<ApiKey>;
  endSecret(keyId: string, number: number): Promise<ApiKey>;
  /** Revokes the key and returns it. A key that was already revoked keeps the time of its first revocation. */
  revoke(keyId: string): Promise<ApiKey | undefined>;
}

/** API keys outside a change. */
export interface ApiKeys {
  /** Newest first. */
  list(workspaceId: number): Promise<ApiKey[]>;
  find(workspaceId: number, keyId: string): Promise<ApiKey | undefined>;
  /** The names of these keys of the workspace by their ids, revoked ones included. */
  namesOf(workspaceId: number, keyIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** The workspace of the key. For operators, who may access all workspaces. */
  workspaceOf(keyId: string): Promise<number | undefined>;
}
