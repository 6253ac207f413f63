import { checksum } from '../checksum.ts';
import { Failure } from '../failure.ts';
import { isTime } from '../time.ts';
import type { ClientFilter } from './client-filter.ts';

/** A client's position in every list that contains it. Lists are sorted by creation time and then by id, newest first. */
export interface Position {
  createdAt: number;
  id: number;
}

/** A position from which a list continues. Callers see it as an opaque text. */
export interface Cursor {
  direction: 'older' | 'newer';
  from: Position;
  /** The number of the page that starts here. */
  pageNumber: number;
}

/** A list and the order in which it is walked. */
export interface OrderedList extends ClientFilter {
  order: 'newest' | 'oldest';
}

const NUMBER_MAX = Number.MAX_SAFE_INTEGER;

/** The text can be used in a URL. A checksum over the position and the filters detects a cursor of another list. */
export function encodeCursor({ direction, from, pageNumber }: Cursor, list: OrderedList): string {
  const body = `${direction === 'older' ? 'o' : 'n'}.${from.createdAt}.${from.id}.${pageNumber}`;
  return `${body}.${checksumOf(body, list)}`;
}

export function decodeCursor(text: string, list: OrderedList): Cursor {
  const parts = /^([on])\.(\d{1,16})\.(\d{1,16})\.(\d{1,16})\.([0-9a-z]{1,7})$/.exec(text);
  const [createdAt = NUMBER_MAX, id = NUMBER_MAX, pageNumber = NUMBER_MAX] = (parts ?? []).slice(2, 5).map(Number);
  const body = text.slice(0, text.lastIndexOf('.'));
  if (!parts || parts[5] !== checksumOf(body, list) || !isTime(createdAt) || Math.max(id, pageNumber) >= NUMBER_MAX) {
    throw new Failure(
      'bad_parameter',
      'cursor is not valid for these filters; take it from the Link header of a page with the same filters.',
    );
  }
  return { direction: parts[1] === 'o' ? 'older' : 'newer', from: { createdAt, id }, pageNumber };
}

/** Filters that were invented later, in the order of their invention. The order of the list counts as one. */
const LATER_FILTERS = [
  'groupTokens',
  'referenceIds',
  'createdFrom',
  'createdUntil',
  'order',
  'clientStatus',
  'externalIds',
] as const satisfies (keyof OrderedList)[];

/**
 * No filter can contain a NUL, so it separates them. What is not given adds nothing, so that the cursors of a list stay the
 * same when new filters are invented.
 */
function checksumOf(body: string, list: OrderedList): string {
  const { email = '', groupName = '', requestStatuses = '', clientType = '' } = list;
  let text = `${body}\0${email}\0${groupName}\0${requestStatuses}\0${clientType}`;
  for (const name of LATER_FILTERS) {
    const value = list[name];
    if (value !== undefined && value !== 'newest') text += `\0${name}=${value}`;
  }
  return checksum(text);
}
