/** One of the requests that a load consists of. */
export interface RequestChoice {
  path: string;
  /** `{number}` in the path then stands for a random number from 1 to this. */
  numbers?: number | undefined;
  /** Then it is a POST with this body, in which the place of a serial number stands for one that no other request has. */
  body?: string | undefined;
}

export const NUMBER = '{number}';

/** As long as the number in its place, because the length of a body is sent before it. */
export const SERIAL = '{serial_}';

/** The first serial number of a load. It has more of them than any service answers, until the next load begins. */
export function firstSerial(): number {
  return Math.floor(performance.now()) * SERIALS_PER_MS;
}

const SERIALS_PER_MS = 10;

/** Requests a random page of a list. */
export function randomPage(path: string, pages: number): RequestChoice {
  return { path: `${path}${path.includes('?') ? '&' : '?'}page_no=${NUMBER}`, numbers: pages };
}

/** The requests to a server, and how many at once. */
export interface Load {
  address: string;
  /** Every request is one of these at random. */
  choices: RequestChoice[];
  /** The same seed gives the same requests. */
  seed: number;
  headers: Record<string, string>;
  connections: number;
  seconds: number;
}

/** What a load generator found out. */
export interface SentLoad {
  answers: number;
  seconds: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
  /** The share of a core that the load generator used. Near 1, it is the bottleneck instead of the server. */
  generatorBusy: number | null;
}

/** A request that waits behind many slow ones is not an error. */
export const REQUEST_TIMEOUT_SECONDS = 300;

export const GENERATOR_NAMES = ['wrk', 'autocannon'] as const;
export type GeneratorName = (typeof GENERATOR_NAMES)[number];

/** A program that sends requests as fast as they are answered, one load at a time. */
export interface LoadSender {
  readonly name: GeneratorName;
  send(load: Load): Promise<SentLoad>;
  stop(): Promise<void>;
}
