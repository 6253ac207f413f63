import { expect, test } from 'vitest';
import { parseTraceparent } from './traceparent.ts';

const IDS = '0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331';

test.each([
  [`00-${IDS}-01`, 1],
  [`00-${IDS}-00`, 0],
  [`00-${IDS}-ff`, 1],
  [`cc-${IDS}-01-what-the-future-will-be-like`, 1],
])('the trace of %s is followed', (header, traceFlags) => {
  const [traceId, spanId] = IDS.split('-');
  expect(parseTraceparent(header)).toEqual({ traceId, spanId, traceFlags, isRemote: true });
});

test.each([
  undefined,
  '',
  `ff-${IDS}-01`,
  `00-${IDS}-01-more`,
  `00-${IDS}-01, 00-${IDS}-01`,
  `00-${IDS.toUpperCase()}-01`,
  `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
  `00-0af7651916cd43dd8448eb211c80319c-${'0'.repeat(16)}-01`,
])('%s begins a new trace', (header) => {
  expect(parseTraceparent(header)).toBeUndefined();
});
