import { useSyncExternalStore } from 'react';
import type { Environment } from '#contract/environments.ts';

interface StartedImport {
  id: string;
  /** Whether the member has seen that it has ended. */
  isSeen: boolean;
}

/** The last import that was started in each environment since the page was loaded. */
const last = new Map<Environment, StartedImport>();
const listeners = new Set<() => void>();

export function noteStarted(environment: Environment, id: string): void {
  note(environment, { id, isSeen: false });
}

export function noteSeen(environment: Environment, id: string): void {
  if (unseenImport(environment) === id) note(environment, { id, isSeen: true });
}

/** The import of whose end the member does not know. */
export function unseenImport(environment: Environment): string | undefined {
  const started = last.get(environment);
  return started?.isSeen ? undefined : started?.id;
}

/** The same, also if it is started after the member has left the page, because its file took long to send. */
export function useUnseenImport(environment: Environment): string | undefined {
  return useSyncExternalStore(subscribe, () => unseenImport(environment));
}

function note(environment: Environment, started: StartedImport): void {
  last.set(environment, started);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
