/** How the values of several processes become one. */
type Combination = 'sum' | 'max' | 'min';

/** Within a metric, all samples have the same labels in the same order. */
export type Labels = Readonly<Record<string, string | number>>;

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
  return { name, help, type: 'counter', combination: 'sum', values: toSamples(values) };
}

export function gauge(
  name: string,
  help: string,
  combination: Combination,
  values: number | readonly Sample[],
): Metric {
  return { name, help, type: 'gauge', combination, values: toSamples(values) };
}

/** One sample for each entry, which is named by the label. */
export function samplesBy(label: string, values: Readonly<Record<string, number>>): Sample[] {
  return Object.entries(values).map(([name, value]) => ({ labels: { [label]: name }, value }));
}

function toSamples(values: number | readonly Sample[]): readonly Sample[] {
  return typeof values === 'number' ? [{ labels: {}, value: values }] : values;
}
