import type { IncomingMessage, ServerResponse } from 'node:http';

/** Stands before the framework and answers some requests itself. */
export interface Front {
  /** The methods it answers, by path without its trailing slash. */
  methods: ReadonlyMap<string, readonly string[]>;
  /** False when the request is not for it. */
  answer(request: IncomingMessage, response: ServerResponse): boolean;
}

/** The path of an address as it was sent, without its query. */
export function pathOf(url: string): string {
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
}

/** The same for an address in a form that few callers use: with scheme and host before it, or percent-encoded. */
export function plainPathOf(url: string): string {
  const path = pathOf(url.replace(/^https?:\/\/[^/?#]*/i, ''));
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

export function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}
