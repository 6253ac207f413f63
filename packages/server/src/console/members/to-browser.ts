import type { Session } from '../../domain/members/session.ts';
import type { BrowserRecord } from '../contract/members/browsers.ts';
import { timeText } from '../time.ts';

export function toBrowser(session: Session, currentId: string): BrowserRecord {
  return {
    session_id: session.id,
    is_current: session.id === currentId,
    created_at: timeText(session.createdAt),
    seen_at: timeText(session.seenAt),
    address: session.address,
    agent: session.agent,
  };
}
