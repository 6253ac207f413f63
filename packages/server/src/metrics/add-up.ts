import { Registry } from '@prometheus-io/client';
import type { Metric } from './metric.ts';

export const METRICS_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

/** Adds up the metrics of several processes, each in its own way. */
export function addUp(reports: readonly (readonly Metric[])[]): Metric[] {
  // The library's types leave out the values that it has added up.
  return aggregate(reports).getMetricsAsArray() as unknown as Metric[];
}

/** The text that Prometheus reads. */
export function toText(reports: readonly (readonly Metric[])[]): Promise<string> {
  return aggregate(reports).metrics();
}

function aggregate(reports: readonly (readonly Metric[])[]): Registry {
  return Registry.aggregate([...reports]);
}
