import type { SpanExporter } from '@opentelemetry/sdk-trace';

const SUCCESS = 0;

/** Told once when traces cannot be sent any more, with the reason, and once when they can be sent again. */
export interface ExportEvents {
  onFailing(reason: string): void;
  onWorking(): void;
}

/** An exporter that reports when the collector cannot be reached. */
export function reportedExporter(exporter: SpanExporter, { onFailing, onWorking }: ExportEvents): SpanExporter {
  let isFailing = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const hasFailed = result.code !== SUCCESS;
        if (hasFailed && !isFailing) onFailing(result.error?.message ?? 'unknown');
        if (!hasFailed && isFailing) onWorking();
        isFailing = hasFailed;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}
