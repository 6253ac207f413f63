/** A 32-bit xorshift generator: numbers from 0 (inclusive) to 1 (exclusive), the same for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = (Math.imul(seed, 0x9e3779b1) ^ 0x5bf03635) >>> 0 || 1;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
  // Neighbouring seeds give similar first numbers, so the first few are skipped.
  for (let step = 0; step < 8; step++) next();
  return next;
}

/** Shuffles the items in place. */
export function shuffle<T>(items: T[], random: () => number): void {
  for (let last = items.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [items[last], items[other]] = [items[other] as T, items[last] as T];
  }
}
