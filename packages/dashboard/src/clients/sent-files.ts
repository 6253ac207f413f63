import { useSyncExternalStore } from 'react';
import type { ImportRecord } from '#contract/clients/imports.ts';
import type { ApiError } from '../api.ts';
import type { FileChanged } from './changed-file.ts';

/** What has become of a file: it is being sent, to be imported or only checked, or has arrived, or was not sent. */
export type SentFile =
  | { state: 'sending'; isCheck: boolean }
  | { state: 'arrived'; record: ImportRecord }
  | { state: 'failed'; error: ApiError | FileChanged };

// Not part of a page, because a large file is still being sent when the member has left the page and come back to it.
const sent = new WeakMap<File, SentFile>();
const listeners = new Set<() => void>();

export function useSentFile(file: File): SentFile | undefined {
  return useSyncExternalStore(subscribe, () => sent.get(file));
}

export function noteSent(file: File, now: SentFile | undefined): void {
  if (now) sent.set(file, now);
  else sent.delete(file);
  for (const listener of listeners) listener();
}

/** What became of it has been seen, or is not true any more. It goes on being sent. */
export function forgetSent(file: File): void {
  if (sent.get(file)?.state !== 'sending') noteSent(file, undefined);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
