/**
 * Leaves for another page of ours by loading it. Every such step goes through here, since an address may have been put
 * together by somebody else: whatever it says, it never leads away from this site and is never run as a script.
 */
export function goTo(address: string, { replace = false } = {}): void {
  const own = ownAddress(address, location.origin);
  if (replace) location.replace(own);
  else location.assign(own);
}

/** The address as the browser would read it, if it is one of this origin, and the home page otherwise. */
export function ownAddress(address: string, origin: string): string {
  const url = new URL(URL.canParse(address, origin) ? address : '/', origin);
  // Not by `url.origin` alone: a `blob:` address claims ours as well.
  if (`${url.protocol}//${url.host}` !== origin) return `${origin}/`;
  // With the origin before it: a path such as `//host` would be read as another site.
  return `${origin}${url.pathname}${url.search}${url.hash}`;
}
