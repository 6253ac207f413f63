import { isSpanContextValid, type SpanContext, TraceFlags } from '@opentelemetry/api';

/** Version, trace id, span id and flags, as in the W3C recommendation "Trace Context". Later versions may add more at the end. */
const FORM = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** The span of the caller, or `undefined` if the header is missing, repeated or malformed. */
export function parseTraceparent(header: string | string[] | undefined): SpanContext | undefined {
  if (typeof header !== 'string') return undefined;
  const [, version, traceId = '', spanId = '', flags = '', more] = FORM.exec(header) ?? [];
  if (version === '00' && more !== undefined) return undefined;
  const parsed = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true };
  return isSpanContextValid(parsed) ? parsed : undefined;
}
