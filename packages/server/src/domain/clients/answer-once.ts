import type { ChangeContext, WorkspaceRecorder } from '../change.ts';
import { Failure } from '../failure.ts';

/** How long an answer is kept for a caller who repeats the request. */
export const ANSWER_KEPT_MS = 24 * 3_600_000;

/** An answer as it was sent, without the headers that every answer has. */
export interface KeptAnswer {
  status: number;
  headers: readonly string[];
  body: string;
}

/** A request that the caller may repeat, because it has a key of its own. */
export interface OnceRequest {
  key: string;
  /** Differs between requests that do not ask for the same. */
  fingerprint: string;
  /** The answer to a failure, or `undefined` if the request may succeed when it is repeated. */
  answerTo(error: unknown): KeptAnswer | undefined;
}

export interface StoredAnswer {
  fingerprint: string;
  /** `undefined` if the client that it was about has been erased. */
  answer: KeptAnswer | undefined;
}

/** What a change answers, and the client that it is about, with whom the answer is erased. */
export interface ChangeAnswer {
  answer: KeptAnswer;
  clientId?: number | undefined;
}

/** A request that is answered, and may have been answered before. */
export interface AnsweredRequest {
  answer: KeptAnswer;
  isRepeated: boolean;
}

export type AnswerContext = ChangeContext & { workspaceId: number; once: OnceRequest | undefined };

/**
 * A change to a workspace that is answered. If the request has a key, the answer is stored in the same transaction, and a
 * repeated request gets it again and changes nothing.
 */
export type AnswerChange<Parts> = (
  context: AnswerContext,
  work: (change: Parts & WorkspaceRecorder) => Promise<ChangeAnswer>,
) => Promise<AnsweredRequest>;

/** Makes a change unless the request is repeated. The answer is to be kept, also if it is about a failure. */
export async function answerOnce(
  once: OnceRequest,
  stored: StoredAnswer | undefined,
  change: () => Promise<ChangeAnswer>,
): Promise<AnsweredRequest & { toKeep?: ChangeAnswer }> {
  if (stored) return { answer: repeatAnswer(stored, once), isRepeated: true };
  const toKeep = await change().catch((error: unknown) => {
    const answer = once.answerTo(error);
    if (!answer) throw error;
    return { answer };
  });
  return { answer: toKeep.answer, isRepeated: false, toKeep };
}

/** The stored answer to a request that is sent again. */
function repeatAnswer({ fingerprint, answer }: StoredAnswer, once: OnceRequest): KeptAnswer {
  if (!answer) {
    throw new Failure('conflict', 'This Idempotency-Key was used for a client that has since been erased.');
  }
  if (fingerprint === once.fingerprint) return answer;
  throw new Failure('key_reused', 'This Idempotency-Key was used for another request. Use a new one for each request.');
}
