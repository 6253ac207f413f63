import { Failure } from '../../domain/failure.ts';
import { type ParsedMetrics, type ParsedSample, parseMetrics } from '../../metrics/parse-text.ts';

const TIMEOUT_MS = 5000;

/** Far more than a service with all its routes has. */
const LENGTH_MAX = 8 * 1024 * 1024;

/** The metrics of a service at one time. */
export class Reading {
  readonly at: number;
  readonly #metrics: ParsedMetrics;

  constructor(metrics: ParsedMetrics, at = performance.now()) {
    this.#metrics = metrics;
    this.at = at;
  }

  samples(name: string, labels: Readonly<Record<string, string>> = {}): readonly ParsedSample[] {
    const wanted = Object.entries(labels);
    return (this.#metrics.get(name) ?? []).filter((sample) =>
      wanted.every(([key, value]) => sample.labels[key] === value),
    );
  }

  sum(name: string, labels: Readonly<Record<string, string>> = {}): number {
    return this.samples(name, labels).reduce((sum, { value }) => sum + value, 0);
  }

  /** The sums of the samples that have the same values of these labels, by `keyOf` these values. */
  sums(name: string, labelNames: readonly string[]): ReadonlyMap<string, number> {
    const sums = new Map<string, number>();
    for (const { labels, value } of this.samples(name)) {
      const key = keyOf(labels, labelNames);
      sums.set(key, (sums.get(key) ?? 0) + value);
    }
    return sums;
  }
}

export function keyOf(labels: Readonly<Record<string, string>>, names: readonly string[]): string {
  return JSON.stringify(names.map((name) => labels[name] ?? ''));
}

/** Reads the metrics of a running service, or says in one line what to do. */
export async function readFrom(url: string, stop: AbortSignal): Promise<Reading> {
  const text = await fetchText(url, AbortSignal.any([stop, AbortSignal.timeout(TIMEOUT_MS)]));
  stop.throwIfAborted();
  if (text === undefined) {
    const message = `Nothing answers at ${url}. Start the service with ROLLCALL_METRICS_PORT set, or give its address with --url.`;
    throw new Failure('unavailable', message);
  }
  const metrics = parseMetrics(text);
  if (metrics?.has('rollcall_build_info')) return new Reading(metrics);
  throw new Failure(
    'unavailable',
    `${url} does not answer with the metrics of Rollcall. Give their address with --url.`,
  );
}

/** Returns `undefined` if there is no answer, for whatever reason. */
async function fetchText(url: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const response = await fetch(url, { signal, redirect: 'error' });
    let text = '';
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      if (text.length > LENGTH_MAX) return '';
    }
    return text;
  } catch {
    return undefined;
  }
}
