import type { KeyObject } from 'node:crypto';
import { CompactSign, compactVerify, importJWK, type JWK } from 'jose';
import { ALGORITHM, type PublicSigningKey } from '../credentials/index.ts';
import { Failure } from '../failure.ts';
import type { ChainEnd } from './activity-chain.ts';

// Whoever can write to the database can also compute all hashes of the activity log again. A checkpoint says, signed, where
// every chain ended at one time. Kept somewhere else, it shows later whether the log still contains what it contained then.

/**
 * Different from that of access tokens, so that none is ever taken for another. With a checkpoint, the log is compared; with a
 * cut, the installation has removed what came before it, and many people have checkpoints.
 */
const TYPES = { checkpoint: 'rollcall-checkpoint', cut: 'rollcall-cut' };
export type CheckpointPurpose = keyof typeof TYPES;

export interface Checkpoint {
  madeAt: number;
  /** Only of a cut: all removed entries were older than this. */
  before?: number | undefined;
  chains: ChainEnd[];
}

/** As it is stored in a file, with the key that verifies it. */
export interface SignedCheckpoint {
  checkpoint: string;
  key: PublicSigningKey;
}

export interface SigningDeps {
  signingKeys: { current(): { kid: string; privateKey: KeyObject }; published(): PublicSigningKey[] };
}

export async function signCheckpoint(
  { signingKeys }: SigningDeps,
  checkpoint: Checkpoint,
  purpose: CheckpointPurpose = 'checkpoint',
): Promise<SignedCheckpoint> {
  const { kid, privateKey } = signingKeys.current();
  const key = signingKeys.published().find((each) => each.kid === kid);
  if (!key) throw new Error('The signing key is not published.');
  const signed = await new CompactSign(
    new TextEncoder().encode(JSON.stringify({ ...checkpoint, chains: checkpoint.chains.map(toEnd) })),
  )
    .setProtectedHeader({ alg: key.alg, typ: TYPES[purpose], kid })
    .sign(privateKey);
  return { checkpoint: signed, key };
}

/** Without what is of no use in a checkpoint. */
function toEnd({ chain, count, hash, lastAt }: ChainEnd): ChainEnd {
  return { chain, count, hash, lastAt };
}

export interface OpenedCheckpoint extends Checkpoint {
  kid: string;
  /** The key in the file, or the installation's own one with the same id. */
  key: PublicSigningKey;
  /** Whether the installation still has the key. It deletes keys some time after it has stopped signing with them. */
  isKeyKnown: boolean;
}

/** Verifies the signature. If the key is known, it must be the same one. */
export async function openCheckpoint(
  knownKeys: readonly PublicSigningKey[],
  text: string,
  purpose: CheckpointPurpose = 'checkpoint',
): Promise<OpenedCheckpoint> {
  const { checkpoint, key } = parse(text);
  const known = knownKeys.find(({ kid }) => kid === key.kid);
  if (known && known.x !== key.x) throw notACheckpoint('its key is not the one of this installation');
  try {
    const publicKey = await importJWK((known ?? key) as unknown as JWK, ALGORITHM);
    const { payload, protectedHeader } = await compactVerify(checkpoint, publicKey, { algorithms: [ALGORITHM] });
    const { typ, kid } = protectedHeader;
    if (typ !== TYPES[purpose] || kid !== key.kid) throw notACheckpoint('it was signed for another purpose');
    const content: unknown = JSON.parse(new TextDecoder().decode(payload));
    if (!isCheckpoint(content)) throw notACheckpoint('it does not say where the log ends');
    return { ...content, kid, key: known ?? key, isKeyKnown: known !== undefined };
  } catch (error) {
    // Whatever is wrong with the key, the signature or the content, it is the file that is wrong.
    throw error instanceof Failure ? error : notACheckpoint('its signature is wrong', error);
  }
}

function isCheckpoint(content: unknown): content is Checkpoint {
  const { madeAt, before, chains } = (content ?? {}) as Partial<Checkpoint>;
  const isTimeOrMissing = (time: unknown) => time === undefined || Number.isInteger(time);
  const isEnd = ({ chain, count, hash, lastAt }: Partial<ChainEnd>) =>
    typeof chain === 'string' && Number.isInteger(count) && typeof hash === 'string' && isTimeOrMissing(lastAt);
  if (!Number.isInteger(madeAt) || !isTimeOrMissing(before)) return false;
  return Array.isArray(chains) && chains.every((end) => isEnd(end ?? {}));
}

function parse(text: string): SignedCheckpoint {
  try {
    const { checkpoint, key } = JSON.parse(text) as SignedCheckpoint;
    if (typeof checkpoint === 'string' && typeof key?.kid === 'string') return { checkpoint, key };
  } catch (error) {
    throw notACheckpoint('it is not JSON', error);
  }
  throw notACheckpoint('it has no checkpoint and no key');
}

function notACheckpoint(why: string, cause?: unknown): Failure {
  return new Failure('bad_parameter', `The file is not a checkpoint of \`rollcall audit checkpoint\`: ${why}.`, {
    cause,
  });
}
