/** What a thread is told when it starts. */
export interface ThreadData {
  file: string;
  /** Distinguishes the database file from another one that may get its name. */
  inode: string;
}

export interface AskedQuestion {
  id: number;
  /** Which of its connections the thread uses. No other question has it at the same time. */
  connection: number;
  question: unknown;
}

/** Nobody waits for the answer any more. */
export interface CancelledQuestion {
  cancelled: number;
}

export type ToThread = AskedQuestion | CancelledQuestion;

/** Errors as plain data, because not every error can be passed on. */
export type ThreadError =
  | { kind: 'unavailable'; reason: string; isTransient: boolean }
  | { kind: 'unexpected'; message: string; stack: string | undefined };

export type FromThread = { id: number; answer: unknown } | { id: number; failed: ThreadError };
