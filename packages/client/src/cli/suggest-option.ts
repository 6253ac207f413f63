/** Returns the option that was probably meant, or `undefined` if none is similar. `--status` means `--request-status`. */
export function suggestOption(given: string, options: readonly string[]): string | undefined {
  const wanted = lettersOf(given);
  return (
    options.find((option) => lettersOf(option) === wanted) ??
    options.find((option) => option.split('-').includes(wanted)) ??
    options.find((option) => editDistance(wanted, lettersOf(option)) <= 2)
  );
}

function lettersOf(option: string): string {
  return option
    .slice(0, 64)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const substitution = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min((previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, substitution));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
