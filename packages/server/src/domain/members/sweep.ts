import type { Clock } from '../clock.ts';
import type { OneTimeLinks } from './one-time-link.ts';
import { SESSION_IDLE_MS, SESSION_MAX_MS, type Sessions } from './session.ts';

/** Forgets what has run out: sessions, and links that let somebody in. */
export async function sweepExpired(deps: { sessions: Sessions; links: OneTimeLinks; clock: Clock }): Promise<void> {
  const now = deps.clock.now();
  await deps.sessions.sweep(now - SESSION_IDLE_MS, now - SESSION_MAX_MS);
  await deps.links.sweep(now);
}
