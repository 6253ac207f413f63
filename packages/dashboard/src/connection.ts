import { useSyncExternalStore } from 'react';
import { ApiError, callConsole } from './api.ts';

const RETRY_MS = 1000;

/** No answer, or one of a proxy that got none. A service that is only busy answers itself. */
const AWAY = [0, 502, 504];

let isAway = false;
const listeners = new Set<() => void>();

/** Whether the service could not be reached when something was loaded, and has not been reached since. */
export function useIsAway(): boolean {
  return useSyncExternalStore(subscribe, () => isAway);
}

/** Waits until the service is back if this error says that it is away. Returns whether it was. */
export async function waitIfAway(error: Error): Promise<boolean> {
  if (isAway || !isAwayError(error)) return false;
  set(true);
  while (!(await isReachable())) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  set(false);
  return true;
}

/** Whether the service answers at all. */
export async function isReachable(): Promise<boolean> {
  try {
    await callConsole('GET', '/set-up');
    return true;
  } catch (error) {
    return !isAwayError(error);
  }
}

function isAwayError(error: unknown): boolean {
  return error instanceof ApiError && AWAY.includes(error.status);
}

function set(value: boolean): void {
  isAway = value;
  for (const tell of listeners) tell();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
