import { counter, type HistogramSample, type Metric, type Sample, timeHistogram } from './metric.ts';

/** From half a millisecond, which a page from memory takes, to ten seconds. */
const BOUNDS_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const BOUNDS_MS = BOUNDS_SECONDS.map((seconds) => seconds * 1000);

/** Callers can send other methods, and each of them must not become a series of its own. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'other'];
const OTHER_METHOD = METHODS.length - 1;
const METHOD_NUMBERS = new Map(METHODS.slice(0, OTHER_METHOD).map((method, number) => [method, number]));

/** All addresses without a route have this one. */
const UNMATCHED = 'unmatched';

const STATUSES = 1000;

interface Answered {
  method: string;
  /** The pattern of the route. Null when no route was found. */
  route: string | null;
  status: number;
  /** As returned by `performance.now()`. */
  startedAt: number;
}

/**
 * Counts the requests of one listener and how long they took. It is on the hot path: the usual library looks for a series by a
 * text that it makes of all labels, and takes six times as long (decision 122).
 */
export class RequestMeter {
  readonly #listener: string;
  readonly #byRoute = new Map<string | null, Map<number, Durations>>();

  constructor(listener: string) {
    this.#listener = listener;
  }

  add({ method, route, status, startedAt }: Answered): void {
    const ms = performance.now() - startedAt;
    const key = (METHOD_NUMBERS.get(method) ?? OTHER_METHOD) * STATUSES + status;
    const durations = this.#byRoute.get(route)?.get(key) ?? this.#newDurations(route, key);
    durations.add(ms);
  }

  #newDurations(route: string | null, key: number): Durations {
    const durations = new Durations();
    const ofRoute = this.#byRoute.get(route) ?? new Map<number, Durations>();
    this.#byRoute.set(route, ofRoute.set(key, durations));
    return durations;
  }

  /** Adds the samples of this listener to those of the others. */
  addTo(requests: Sample[], durations: HistogramSample[]): void {
    for (const [route, byKey] of this.#byRoute) {
      for (const [key, { counts, sumMicroseconds }] of byKey) {
        const labels = {
          listener: this.#listener,
          route: route ?? UNMATCHED,
          method: METHODS[Math.floor(key / STATUSES)] ?? '',
          status: key % STATUSES,
        };
        requests.push({ labels, value: counts.reduce((sum, count) => sum + count, 0) });
        durations.push({ labels, counts: [...counts], sum: sumMicroseconds });
      }
    }
  }
}

/** The metrics of all listeners of a process. */
export function requestMetrics(meters: Iterable<RequestMeter>): Metric[] {
  const [requests, durations]: [Sample[], HistogramSample[]] = [[], []];
  for (const meter of meters) meter.addTo(requests, durations);
  return [
    counter('rollcall_http_requests_total', 'Requests that were answered.', requests),
    timeHistogram(
      'rollcall_http_request_duration_seconds',
      'Time from the arrival of a request until its answer was written.',
      BOUNDS_SECONDS,
      durations,
    ),
  ];
}

class Durations {
  readonly counts = new Array<number>(BOUNDS_MS.length + 1).fill(0);
  sumMicroseconds = 0;

  add(ms: number): void {
    let bound = 0;
    while (bound < BOUNDS_MS.length && ms > (BOUNDS_MS[bound] as number)) bound++;
    (this.counts[bound] as number)++;
    this.sumMicroseconds += Math.round(ms * 1000);
  }
}
