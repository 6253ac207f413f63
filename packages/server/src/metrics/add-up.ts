import type { Histogram, HistogramSample, Labels, Metric, PlainMetric } from './metric.ts';

const COMBINED = {
  sum: (a: number, b: number) => a + b,
  max: Math.max,
  min: Math.min,
};

/** Adds up the metrics of several processes, or takes the largest or the smallest value, as each metric says. */
export function addUp(reports: readonly (readonly Metric[])[]): Metric[] {
  const byName = new Map<string, Metric>();
  for (const metric of reports.flat()) {
    const known = byName.get(metric.name);
    byName.set(metric.name, known ? combine(known, metric) : metric);
  }
  return [...byName.values()];
}

function combine(a: Metric, b: Metric): Metric {
  if (a.type === 'histogram' && b.type === 'histogram') return combineHistograms(a, b);
  if (a.type !== 'histogram' && b.type !== 'histogram') return combinePlain(a, b);
  throw new Error(`${a.name} is a ${a.type} in one process and a ${b.type} in another.`);
}

function combineHistograms(a: Histogram, b: Histogram): Histogram {
  const add = (x: HistogramSample, y: HistogramSample) => ({
    labels: x.labels,
    counts: x.counts.map((count, index) => count + (y.counts[index] ?? 0)),
    sum: x.sum + y.sum,
  });
  return { ...a, values: merge(a.values, b.values, add) };
}

function combinePlain(a: PlainMetric, b: PlainMetric): PlainMetric {
  const combined = COMBINED[a.combination];
  return {
    ...a,
    values: merge(a.values, b.values, (x, y) => ({ labels: x.labels, value: combined(x.value, y.value) })),
  };
}

function merge<S extends { labels: Labels }>(a: readonly S[], b: readonly S[], add: (x: S, y: S) => S): S[] {
  const byLabels = new Map(a.map((sample) => [keyOf(sample.labels), sample]));
  for (const sample of b) {
    const key = keyOf(sample.labels);
    const known = byLabels.get(key);
    byLabels.set(key, known ? add(known, sample) : sample);
  }
  return [...byLabels.values()];
}

function keyOf(labels: Labels): string {
  return Object.values(labels).join('\0');
}
