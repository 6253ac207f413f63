import { checksum } from '../checksum.ts';
import { Failure } from '../failure.ts';
import { isTime } from '../time.ts';
import type { ClientFilter } from './client-filter.ts';

/** A client's place in every list that it is in: newest first, and of equal times the later arrival. */
export interface Position {
  createdAt: number;
  id: number;
}

/** A place to go on from. Callers see it as an opaque text. */
export interface Cursor {
  direction: 'older' | 'newer';
  from: Position;
  /** What the page will be called. */
  pageNumber: number;
}

const NUMBER_MAX = Number.MAX_SAFE_INTEGER;

/** Safe in an address. Bound to the filters by a checksum over both, so that one made for another list is noticed. */
export function encodeCursor({ direction, from, pageNumber }: Cursor, filter: ClientFilter): string {
  const body = `${direction === 'older' ? 'o' : 'n'}.${from.createdAt}.${from.id}.${pageNumber}`;
  return `${body}.${bound(body, filter)}`;
}

export function decodeCursor(text: string, filter: ClientFilter): Cursor {
  const parts = /^([on])\.(\d{1,16})\.(\d{1,16})\.(\d{1,16})\.([0-9a-z]{1,7})$/.exec(text);
  const [createdAt = NUMBER_MAX, id = NUMBER_MAX, pageNumber = NUMBER_MAX] = (parts ?? []).slice(2, 5).map(Number);
  const body = text.slice(0, text.lastIndexOf('.'));
  if (!parts || parts[5] !== bound(body, filter) || !isTime(createdAt) || Math.max(id, pageNumber) >= NUMBER_MAX) {
    throw new Failure(
      'bad_parameter',
      'cursor is broken or was made for other filters; take it from the Link header of a page of the same list.',
    );
  }
  return { direction: parts[1] === 'o' ? 'older' : 'newer', from: { createdAt, id }, pageNumber };
}

/** No filter holds a NUL, so it can stand between them. */
function bound(body: string, { email, groupName, requestStatus, clientType }: ClientFilter): string {
  return checksum(`${body}\0${email ?? ''}\0${groupName ?? ''}\0${requestStatus ?? ''}\0${clientType ?? ''}`);
}
