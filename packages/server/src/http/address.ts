/** The path of an address as it was sent, without its query. */
export function pathOf(url: string): string {
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
}

/** The path of an address in any form, including those that few callers use: percent-encoded, or with a scheme and a host. */
export function decodedPathOf(url: string): string {
  const path = pathOf(url.replace(/^https?:\/\/[^/?#]*/i, ''));
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

export function withoutTrailingSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

export function queryStringOf(url: string): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start + 1);
}
