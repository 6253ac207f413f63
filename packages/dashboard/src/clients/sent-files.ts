import { useSyncExternalStore } from 'react';
import type { ImportRecord } from '#contract/clients/imports.ts';
import type { ApiError } from '../api.ts';
import type { FileChanged } from './changed-file.ts';

/**
 * What has become of a file: it is being sent, to be imported or only checked, or has arrived, or was not sent. One that goes on is
 * imported after its check, or because of it.
 */
export type SentFile =
  | { state: 'sending'; isCheck: boolean; goesOn: boolean }
  | { state: 'arrived'; record: ImportRecord; goesOn: boolean }
  | { state: 'failed'; error: ApiError | FileChanged };

// Not part of a page, because a large file is still being sent when the member has left the page and come back to it.
const sent = new WeakMap<File, SentFile>();
/** The last checks of files that nobody has asked for. */
const ownChecks = new WeakMap<File, string>();
const listeners = new Set<() => void>();

export function useSentFile(file: File): SentFile | undefined {
  return useSyncExternalStore(subscribe, () => sent.get(file));
}

export function noteSent(file: File, now: SentFile | undefined): void {
  if (now) sent.set(file, now);
  else sent.delete(file);
  for (const listener of listeners) listener();
}

/** What became of it has been seen, or is not true any more. It goes on being sent, and being imported after its check. */
export function forgetSent(file: File): void {
  const now = sent.get(file);
  if (now?.state === 'sending' || (now?.state === 'arrived' && now.goesOn)) return;
  noteSent(file, undefined);
}

/** Nothing follows the check: the member has to choose, or it did not end well. */
export function noteStays(file: File): void {
  const now = sent.get(file);
  if (now?.state === 'arrived') noteSent(file, { ...now, goesOn: false });
}

export function ownCheckOf(file: File): string | undefined {
  return ownChecks.get(file);
}

export function noteOwnCheck(file: File, importId: string): void {
  ownChecks.set(file, importId);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
