import type { Environment } from '#contract/environments.ts';
import type { Decided } from './decision.ts';

/** What a reason was typed for: a decision of the review, or any change on the page of the client. */
export type ReasonUse = Decided | 'page';

/**
 * Reasons that are not in the history yet: of decisions of the review that are being sent or have failed, and of the field on the
 * page of a client, so that they are still there when the member comes back to the client.
 */
const drafts = new Map<string, string>();

/** Those that were typed last, many more than anybody comes back to. */
const DRAFTS_MAX = 500;

export interface ReasonDraft {
  text(): string;
  /** An empty one is forgotten. */
  keep(text: string): void;
}

export function reasonDraft(environment: Environment, referenceId: string, use: ReasonUse): ReasonDraft {
  const key = `${environment} ${referenceId} ${use}`;
  return {
    text: () => drafts.get(key) ?? '',
    keep: (text) => {
      drafts.delete(key);
      if (text !== '') drafts.set(key, text);
      const [oldest] = drafts.keys();
      if (drafts.size > DRAFTS_MAX && oldest !== undefined) drafts.delete(oldest);
    },
  };
}
