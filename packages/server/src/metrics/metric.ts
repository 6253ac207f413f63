/** How the values of several processes become one. */
type Combination = 'sum' | 'max' | 'min';

type Labels = Readonly<Record<string, string | number>>;

export interface Sample {
  labels: Labels;
  value: number;
  /** The name of a part of a histogram. Other samples have the name of their metric. */
  metricName?: string;
}

/** A metric with its values, in the form that the library adds up and prints, and that can be sent to another process. */
export interface Metric {
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram';
  aggregator: Combination;
  values: Sample[];
}

/** What can be counted in one process. */
export interface ProcessMetrics {
  /** Only ever grow, and must be kept when the process ends. */
  counters(): Metric[];
  /** What is true now. */
  gauges(): Promise<Metric[]>;
}

export function counter(name: string, help: string, values: number | Sample[]): Metric {
  return { name, help, type: 'counter', aggregator: 'sum', values: toSamples(values) };
}

export function gauge(name: string, help: string, aggregator: Combination, values: number | Sample[]): Metric {
  return { name, help, type: 'gauge', aggregator, values: toSamples(values) };
}

/** One sample for each entry, which is named by the label. */
export function samplesBy(label: string, values: Readonly<Record<string, number>>): Sample[] {
  return Object.entries(values).map(([name, value]) => ({ labels: { [label]: name }, value }));
}

function toSamples(values: number | Sample[]): Sample[] {
  return typeof values === 'number' ? [{ labels: {}, value: values }] : values;
}
