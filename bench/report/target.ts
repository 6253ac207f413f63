/** A promise of the project and the measured value. */
export interface Target {
  what: string;
  unit: string;
  /** `above` if more is better. */
  side: 'above' | 'below';
  limit: number;
  measured: number | null;
  met: boolean | null;
  note?: string;
}

export function makeTarget(
  what: string,
  side: Target['side'],
  limit: number,
  unit: string,
  measured: number | undefined,
  note?: string,
): Target {
  const met = measured === undefined ? null : side === 'above' ? measured >= limit : measured <= limit;
  return { what, unit, side, limit, measured: measured ?? null, met, ...(note && { note }) };
}
