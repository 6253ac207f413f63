/** The links of the clients in the list, in its order. */
function rowLinks(): NodeListOf<HTMLElement> {
  return document.querySelectorAll<HTMLElement>('.row .row-link');
}

/** Puts the focus on a client of the list, by its place, or on the nearest one. Returns whether there is any. */
export function focusRow(place: number, options?: FocusOptions): boolean {
  const links = rowLinks();
  const link = links[Math.max(0, Math.min(links.length - 1, place))];
  link?.focus(options);
  return link !== undefined;
}

/** The place of the client that has the focus, or -1. */
export function focusedRow(): number {
  return [...document.querySelectorAll('.row')].findIndex((row) => row.contains(document.activeElement));
}
