import type { EngineName } from '../engines.ts';
import type { LoadResult } from '../measure/load-generator.ts';

export const SERVER_TITLES = {
  ceiling: 'ceiling',
  usual: 'usual',
  query: 'bare query',
  cached: 'ours',
  uncached: 'ours, no page cache',
} as const;
export type ServerName = keyof typeof SERVER_TITLES;

export interface Measurement extends LoadResult {
  engine: EngineName;
  clients: number;
  workload: string;
  row: ServerName;
}

/** The median time of a question, and of a plain random page that was measured in turn with it. */
export interface QuestionResult {
  engine: EngineName;
  clients: number;
  question: string;
  /** The goal: how many times as long as a plain page it may take. */
  atMost: number | undefined;
  p50Ms: number;
  plainP50Ms: number;
  serverCpuMicroseconds: number | null;
  plainServerCpuMicroseconds: number | null;
}

/** How long a search takes, one at a time, and how many clients it finds. */
export interface SearchResult {
  engine: EngineName;
  clients: number;
  search: string;
  found: number;
  /** If not, it finds more than it counts. */
  isTotalExact: boolean;
  p50Ms: number;
}

/** The 99th percentile of random pages without searches and beside them. */
export interface BesideSearches {
  engine: EngineName;
  clients: number;
  aloneP99Ms: number;
  besideP99Ms: number;
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

/** The lists of results that are saved. */
const KEPT = ['finished', 'measurements', 'questions', 'searches', 'besideSearches', 'figures', 'skipped'] as const;

/** All results of a run. */
export class Results {
  /** Which parts are finished. */
  readonly finished: string[] = [];
  readonly measurements: Measurement[] = [];
  readonly questions: QuestionResult[] = [];
  readonly searches: SearchResult[] = [];
  readonly besideSearches: BesideSearches[] = [];
  readonly figures: Figure[] = [];
  readonly skipped: Skipped[] = [];

  /** Takes over what an interrupted run has saved. */
  restore(saved: Pick<Results, (typeof KEPT)[number]>): void {
    for (const name of KEPT) (this[name] as unknown[]).push(...(saved[name] ?? []));
  }

  find(engine: EngineName, clients: number, workload: string, row: ServerName): Measurement | undefined {
    return this.measurements.find(
      (each) => each.engine === engine && each.clients === clients && each.workload === workload && each.row === row,
    );
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
