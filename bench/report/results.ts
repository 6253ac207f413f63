import type { LoadResult } from '../measure/load.ts';

export const SERVER_TITLES = {
  ceiling: 'ceiling',
  usual: 'usual',
  cached: 'ours',
  uncached: 'ours, no page cache',
  postgres: 'ours, PostgreSQL',
} as const;
export type ServerName = keyof typeof SERVER_TITLES;

export interface Measurement extends LoadResult {
  clients: number;
  workload: string;
  row: ServerName;
}

/** A figure that is not a rate: seconds, megabytes, milliseconds. */
export interface Figure {
  what: string;
  value: number;
  unit: string;
  note?: string;
}

export interface Skipped {
  what: string;
  why: string;
}

/** All results of a run. */
export class Results {
  readonly measurements: Measurement[] = [];
  readonly figures: Figure[] = [];
  readonly skipped: Skipped[] = [];

  find(clients: number, workload: string, row: ServerName): Measurement | undefined {
    return this.measurements.find((each) => each.clients === clients && each.workload === workload && each.row === row);
  }

  figure(what: string): number | undefined {
    return this.figures.find((figure) => figure.what === what)?.value;
  }

  addFigure(what: string, value: number, unit: string, note?: string): void {
    this.figures.push({ what, value, unit, ...(note && { note }) });
  }

  skip(what: string, why: string): void {
    this.skipped.push({ what, why });
  }
}
