/** How many parts a scale has at most. */
const PARTS_MAX = 4;

/** The values of a scale from 0 to at least the largest count, in steps that people count in: 1, 2, 5, 10, 20, 50, … */
export function chartScale(largest: number): number[] {
  if (largest <= 0) return [0];
  const step = roundStep(largest / PARTS_MAX);
  return Array.from({ length: Math.ceil(largest / step) + 1 }, (_, index) => index * step);
}

/** The smallest such step that is not below the wanted one. */
function roundStep(wanted: number): number {
  for (let power = 1; ; power *= 10) {
    const step = [1, 2, 5].find((digit) => digit * power >= wanted);
    if (step !== undefined) return step * power;
  }
}
