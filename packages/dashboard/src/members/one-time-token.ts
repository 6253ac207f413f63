/** The token of a one-time link stands after the `#`: browsers send that part to nobody. */
export function tokenOfAddress(): string {
  return location.hash.slice(1);
}
