/** The token of a one-time link comes after the `#`, because browsers do not send that part of an address. */
export function tokenFromUrl(): string {
  return location.hash.slice(1);
}
