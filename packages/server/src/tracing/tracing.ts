import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { type ExportEvents, reportedExporter } from './reported-exporter.ts';
import { type InSpan, traceParts } from './trace-parts.ts';
import { parseTraceparent } from './traceparent.ts';

/** Spans beyond these are dropped, however slow the collector is. A span takes about a kilobyte. */
const WAITING_MAX = 2048;
const SEND_EVERY_MS = 1000;
const SEND_TIMEOUT_MS = 5000;

/** How long the end of the service may wait for the collector. */
const CLOSE_TIMEOUT_MS = 3000;

/** Other methods are not repeated, because callers can make them up. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

export interface TracingOptions {
  version: string;
  /** Which share of the requests is traced, from 0 to 1, unless the caller has decided. */
  share: number;
  events: ExportEvents;
}

interface TracedRequest {
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

interface Answered {
  method: string;
  route: string | null;
  status: number;
}

/** Follows requests through the service and sends what was found to a collector, whose address the library reads from the environment. */
export class Tracing {
  readonly #provider: TracerProvider;
  readonly #tracer: Tracer;
  readonly #current = new AsyncLocalStorage<Context>();

  constructor({ version, share, events }: TracingOptions) {
    const exporter = new OTLPTraceExporter({ timeoutMillis: SEND_TIMEOUT_MS });
    this.#provider = new TracerProvider({
      resource: resourceFromAttributes({ 'service.name': 'rollcall', 'service.version': version }).merge(
        detectResources({ detectors: [envDetector] }),
      ),
      sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
      spanProcessors: [
        new BatchSpanProcessor({
          exporter: reportedExporter(exporter, events),
          maxQueueSize: WAITING_MAX,
          scheduledDelayMillis: SEND_EVERY_MS,
          exportTimeoutMillis: SEND_TIMEOUT_MS,
        }),
      ],
    });
    this.#tracer = this.#provider.getTracer('rollcall', version);
  }

  /** The tracer of one listener. */
  requestTracer(listener: string) {
    return {
      begin: ({ headers }: TracedRequest, startedAt: number) => {
        const caller = parseTraceparent(headers.traceparent);
        const parent = caller ? trace.setSpanContext(ROOT_CONTEXT, caller) : ROOT_CONTEXT;
        const attributes = { 'rollcall.listener': listener };
        const options = { kind: SpanKind.SERVER, startTime: performance.timeOrigin + startedAt, attributes };
        const span = this.#tracer.startSpan('request', options, parent);
        const context = trace.setSpan(ROOT_CONTEXT, span);
        return {
          traceId: span.spanContext().traceId,
          // Without a current span, operations of the store cost nothing. Most requests of a busy service are not sampled.
          run: <T>(work: () => T) => (span.isRecording() ? this.#current.run(context, work) : work()),
          end: (answered: Answered) => endRequest(span, answered),
        };
      },
    };
  }

  /** The same store, whose operations are spans of the request that they are done for. What is done for no request is not traced. */
  traceStore<Store extends object>(store: Store): Store {
    return traceParts(store, this.#inSpan);
  }

  /** Sends what is left, unless that takes too long. */
  async close(): Promise<void> {
    const { promise: overdue, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, CLOSE_TIMEOUT_MS);
    // The reason was reported when the collector stopped answering.
    await Promise.race([this.#provider.shutdown().catch(() => {}), overdue]);
    clearTimeout(timer);
  }

  readonly #inSpan: InSpan = (name, work) => {
    const parent = this.#current.getStore();
    if (!parent) return work();
    const span = this.#tracer.startSpan(`store ${name}`, { kind: SpanKind.INTERNAL }, parent);
    try {
      const result = work();
      if (result instanceof Promise) {
        result.then(
          () => span.end(),
          () => endFailed(span),
        );
      } else span.end();
      return result;
    } catch (error) {
      endFailed(span);
      throw error;
    }
  };
}

function endRequest(span: Span, { method, route, status }: Answered): void {
  const known = METHODS.has(method) ? method : '_OTHER';
  span.updateName(route === null ? known : `${known} ${route}`);
  span.setAttributes({ 'http.request.method': known, 'http.response.status_code': status });
  if (route !== null) span.setAttribute('http.route', route);
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

/** Without the message, which may contain personal data. */
function endFailed(span: Span): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
