/** Numbers from 0 up to but not including 1, the same for the same seed: a xorshift of 32 bits. */
export function randomFrom(seed: number): () => number {
  let state = (Math.imul(seed, 0x9e3779b1) ^ 0x5bf03635) >>> 0 || 1;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
  // Neighbouring seeds begin alike; after a few steps they have nothing in common.
  for (let step = 0; step < 8; step++) next();
  return next;
}

/** Puts them in a random order, in place. */
export function shuffle<T>(items: T[], random: () => number): void {
  for (let last = items.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [items[last], items[other]] = [items[other] as T, items[last] as T];
  }
}
