/** Returns the candidate that was probably meant, or `undefined` when none is similar enough. */
export function suggest(word: string, candidates: readonly string[]): string | undefined {
  const wanted = skeleton(word);
  let best: { candidate: string; distance: number } | undefined;
  for (const candidate of candidates) {
    const distance = editDistance(wanted, skeleton(candidate));
    // Of a short one, more than a letter must be the same.
    const most = Math.min(Math.max(2, candidate.length / 3), candidate.length - 2);
    if (distance <= most && distance < (best?.distance ?? Number.POSITIVE_INFINITY)) best = { candidate, distance };
  }
  return best?.candidate ?? candidates.find((candidate) => isPartOf(word.toLowerCase(), candidate));
}

/** `status` for `request_status`, `group` for `group_name`. */
function isPartOf(word: string, candidate: string): boolean {
  return candidate.endsWith(`_${word}`) || candidate.startsWith(`${word}_`);
}

/** Letter case and separators are the most common mistakes: `pageLimit`, `page-limit`. */
function skeleton(word: string): string {
  return word
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
