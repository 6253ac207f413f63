import type { Histogram, HistogramSample, Labels, Metric } from './metric.ts';

/** The type of the text format of Prometheus. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * The text that Prometheus reads. The labels of a histogram are made once for all its lines, because no request is answered
 * meanwhile.
 */
export function toText(metrics: readonly Metric[]): string {
  return metrics.map(textOf).join('');
}

function textOf(metric: Metric): string {
  const { name, help, type, dividedBy } = metric;
  const head = `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
  const lines =
    metric.type === 'histogram'
      ? metric.values.map((sample) => histogramText(metric, sample))
      : metric.values.map(({ labels, value }) => `${name}${inBraces(labelsText(labels))} ${value / dividedBy}\n`);
  return head + lines.join('');
}

function histogramText({ name, bounds, dividedBy }: Histogram, { labels, counts, sum }: HistogramSample): string {
  const own = labelsText(labels);
  const separator = own === '' ? '' : ',';
  let upTo = 0;
  let text = '';
  for (const [index, count] of counts.entries()) {
    upTo += count;
    text += `${name}_bucket{${own}${separator}le="${bounds[index] ?? '+Inf'}"} ${upTo}\n`;
  }
  return `${text}${name}_sum${inBraces(own)} ${sum / dividedBy}\n${name}_count${inBraces(own)} ${upTo}\n`;
}

function inBraces(labels: string): string {
  return labels === '' ? '' : `{${labels}}`;
}

function labelsText(labels: Labels): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${escaped(String(value))}"`)
    .join(',');
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
