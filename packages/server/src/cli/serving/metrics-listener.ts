import { ConfigError } from '../../config.ts';
import type { ProcessMetrics } from '../../metrics/metric.ts';
import { type MetricsServer, openMetricsServer } from '../../metrics/metrics-server.ts';
import { METRICS_TYPE, toText } from '../../metrics/to-text.ts';

/** Opens the listener of the metrics. A problem with its address is explained in one line. */
export async function openMetricsListener(
  place: { host: string; port: number },
  metrics: ProcessMetrics,
): Promise<MetricsServer> {
  const read = async () => {
    // First, because it also makes sure that the counters are up to date.
    const gauges = await metrics.gauges();
    return toText([...metrics.counters(), ...gauges]);
  };
  try {
    return await openMetricsServer(place, { contentType: METRICS_TYPE, read });
  } catch (error) {
    throw explained(error, place) ?? error;
  }
}

function explained(error: unknown, { host, port }: { host: string; port: number }): ConfigError | undefined {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') {
    return new ConfigError(`Port ${port} on ${host} is already in use; set ROLLCALL_METRICS_PORT to a free one.`);
  }
  if (code === 'EACCES') {
    return new ConfigError(`Port ${port} may not be used by this user; set ROLLCALL_METRICS_PORT.`);
  }
  if (['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL'].includes(code)) {
    return new ConfigError(`ROLLCALL_METRICS_HOST must be an address of this machine, not "${host}".`);
  }
  return undefined;
}
