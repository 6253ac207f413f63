/** More names would not be read. */
const NAMES_SHOWN = 3;

/** Such as `Ann, Bob, Cleo and 4 others`. The names may be those of only some of so many clients. */
export function namesText(names: readonly string[], count: number): string {
  const shown = names.slice(0, NAMES_SHOWN);
  const others = count - shown.length;
  const last = others > 0 ? `${others.toLocaleString()} ${others === 1 ? 'other' : 'others'}` : shown.pop();
  return shown.length > 0 ? `${shown.join(', ')} and ${last}` : (last ?? '');
}
