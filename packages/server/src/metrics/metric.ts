/** How the values of several processes become one. */
type Combination = 'sum' | 'max' | 'min';

/** Within a metric, all samples have the same labels in the same order. */
export type Labels = Readonly<Record<string, string | number>>;

/**
 * Times that are added up are whole microseconds, and are divided when they are written. Sums of fractions depend on their
 * order, so a counter would seem to fall when a worker is replaced.
 */
const MICROSECONDS = 1e6;

export interface Sample {
  labels: Labels;
  value: number;
}

export interface HistogramSample {
  labels: Labels;
  /** How many were above the bound before and not above this one. The last is for those above all bounds. */
  counts: readonly number[];
  sum: number;
}

interface Described {
  name: string;
  help: string;
  /** What values, or the sums of a histogram, are divided by when they are written. */
  dividedBy: number;
}

export interface PlainMetric extends Described {
  type: 'counter' | 'gauge';
  combination: Combination;
  values: readonly Sample[];
}

export interface Histogram extends Described {
  type: 'histogram';
  bounds: readonly number[];
  values: readonly HistogramSample[];
}

/** A metric with its values, as plain data that can be sent to another process. */
export type Metric = PlainMetric | Histogram;

/** What can be counted in one process. */
export interface ProcessMetrics {
  /** Only ever grow, and must be kept when the process ends. */
  counters(): Metric[];
  /** What is true now. */
  gauges(): Promise<Metric[]>;
}

export function counter(name: string, help: string, values: number | readonly Sample[]): Metric {
  return { name, help, dividedBy: 1, type: 'counter', combination: 'sum', values: toSamples(values) };
}

/** A counter of seconds. */
export function timeCounter(name: string, help: string, microseconds: number): Metric {
  const values = toSamples(Math.round(microseconds));
  return { name, help, dividedBy: MICROSECONDS, type: 'counter', combination: 'sum', values };
}

/** A histogram of seconds, with sums in whole microseconds. */
export function timeHistogram(
  name: string,
  help: string,
  bounds: readonly number[],
  values: readonly HistogramSample[],
): Metric {
  return { name, help, dividedBy: MICROSECONDS, type: 'histogram', bounds, values };
}

export function gauge(
  name: string,
  help: string,
  combination: Combination,
  values: number | readonly Sample[],
): Metric {
  return { name, help, dividedBy: 1, type: 'gauge', combination, values: toSamples(values) };
}

/** One sample for each entry, which is named by the label. */
export function samplesBy(label: string, values: Readonly<Record<string, number>>): Sample[] {
  return Object.entries(values).map(([name, value]) => ({ labels: { [label]: name }, value }));
}

function toSamples(values: number | readonly Sample[]): readonly Sample[] {
  return typeof values === 'number' ? [{ labels: {}, value: values }] : values;
}
