import { type ParsedMetrics, type ParsedSample, parseMetrics } from '../packages/server/src/metrics/parse-text.ts';

/** The metrics of a service, as they are now. */
export async function readMetrics(address: string): Promise<ParsedMetrics> {
  const metrics = parseMetrics(await (await fetch(address)).text());
  if (!metrics) throw new Error('These are not metrics.');
  return metrics;
}

/** The sum of the samples that have at least these labels. */
export function sumOf(metrics: ParsedMetrics, name: string, labels: Record<string, string> = {}): number {
  return matching(metrics, name, labels).reduce((sum, { value }) => sum + value, 0);
}

export function matching(metrics: ParsedMetrics, name: string, labels: Record<string, string>): ParsedSample[] {
  const wanted = Object.entries(labels);
  return (metrics.get(name) ?? []).filter((sample) => wanted.every(([key, value]) => sample.labels[key] === value));
}
