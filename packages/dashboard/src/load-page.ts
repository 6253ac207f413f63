/**
 * Opens another page of the dashboard by loading it. Every full page load goes through here, because an address may have
 * been written by an attacker: it must never lead to another site or run as a script.
 */
export function loadPage(address: string, { replace = false } = {}): void {
  const url = sameOriginUrl(address, location.origin);
  if (replace) location.replace(url);
  else location.assign(url);
}

/** The address as the browser would read it if it belongs to this origin, and the home page otherwise. */
export function sameOriginUrl(address: string, origin: string): string {
  const url = new URL(URL.canParse(address, origin) ? address : '/', origin);
  // `url.origin` alone is not enough: a `blob:` address reports our origin as well.
  if (`${url.protocol}//${url.host}` !== origin) return `${origin}/`;
  // The origin is put before the path, because a path such as `//host` would be read as another site.
  return `${origin}${url.pathname}${url.search}${url.hash}`;
}
