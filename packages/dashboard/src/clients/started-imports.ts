import type { Environment } from '#contract/environments.ts';

interface StartedImport {
  id: string;
  /** Whether the member has seen that it has ended. */
  isSeen: boolean;
}

/** The last import that was started in each environment since the page was loaded. */
const last = new Map<Environment, StartedImport>();

export function noteStarted(environment: Environment, id: string): void {
  last.set(environment, { id, isSeen: false });
}

export function noteSeen(environment: Environment, id: string): void {
  if (last.get(environment)?.id === id) last.set(environment, { id, isSeen: true });
}

/** The import of whose end the member does not know. */
export function unseenImport(environment: Environment): string | undefined {
  const started = last.get(environment);
  return started?.isSeen ? undefined : started?.id;
}
