/** EdDSA, ECDSA and RSA: every authenticator knows at least one of them. */
export const PASSKEY_ALGORITHMS: readonly number[] = [-8, -7, -257];

/** A key pair on a device or in a password manager of a member, which proves by itself who uses it. Only its public half is here. */
export interface Passkey {
  /** The id that the authenticator has given it. It is unique in the whole installation. */
  id: string;
  accountId: number;
  memberId: number;
  /** In base64url. */
  publicKey: string;
  /** How often the authenticator has used it, or 0 if it does not count. */
  counter: number;
  name: string;
  createdAt: number;
  usedAt: number | null;
}

/** A challenge is answered once. */
export interface AnsweredChallenge {
  hash: string;
  expiresAt: number;
}

/** Changes to passkeys within a change to an account. */
export interface PasskeyChanges {
  list(memberId: number): Promise<Passkey[]>;
  /** Returns false if a passkey with this id exists already. */
  add(passkey: Passkey): Promise<boolean>;
  /** Notes that the passkey was used. Returns false if it does not exist any more. */
  use(passkey: Passkey, counter: number): Promise<boolean>;
  /** Returns the removed passkey, or `undefined` if the member does not have it. */
  remove(memberId: number, id: string): Promise<Passkey | undefined>;
  removeAll(memberId: number): Promise<void>;
  /** Returns false if the challenge was answered before. */
  answerChallenge(challenge: AnsweredChallenge): Promise<boolean>;
}

export interface Passkeys {
  find(id: string): Promise<Passkey | undefined>;
  list(accountId: number, memberId: number): Promise<Passkey[]>;
  /** Forgets challenges that could not be answered again anyway. */
  removeExpiredChallenges(now: number): Promise<void>;
}
