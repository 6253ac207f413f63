import type { ApiKey } from './api-key.ts';

/** What a process must know about a key to accept or refuse an access token. It is sent between processes, so it is plain data. */
export interface KeyFacts {
  keyId: string;
  workspaceId: number;
  isRevoked: boolean;
  expiresAt: number | null;
  /** The secrets that were not ended at once, with the time at which each ends by itself. */
  secrets: readonly { number: number; endsAt: number | null }[];
  allowedNetworks: readonly string[];
  rateLimit: string | null;
  version: number;
}

/** Called after keys were changed. Resolves when every process of this machine follows the change. */
export type OnKeysChanged = (changed: readonly KeyFacts[]) => Promise<void>;

/** For a process that accepts no access tokens, such as a command. */
export const NOBODY_TO_TELL: OnKeysChanged = async () => {};

export function factsOf(key: ApiKey): KeyFacts {
  return {
    keyId: key.id,
    workspaceId: key.workspaceId,
    isRevoked: key.revokedAt !== null,
    expiresAt: key.expiresAt,
    secrets: key.secrets.filter(({ endedAt }) => endedAt === null).map(({ number, endsAt }) => ({ number, endsAt })),
    allowedNetworks: key.allowedNetworks,
    rateLimit: key.rateLimit,
    version: key.version,
  };
}
