import { expect, test } from 'vitest';
import { addUp } from './add-up.ts';
import { counter, gauge } from './metric.ts';
import { parseMetrics } from './parse-text.ts';
import { RequestMeter, requestMetrics } from './request-meter.ts';
import { toText } from './to-text.ts';

/** A request that began so long ago. */
const request = (ms: number, method = 'GET', route: string | null = '/a', status = 200) => ({
  method,
  route,
  status,
  startedAt: performance.now() - ms,
});

test('every request is counted once, in the bucket of its duration and in all above', () => {
  const meter = new RequestMeter('production');
  for (const ms of [0, 20, 20, 600, 60_000]) meter.add(request(ms));
  const metrics = parseMetrics(toText(requestMetrics([meter])));
  const buckets = metrics?.get('rollcall_http_request_duration_seconds_bucket') ?? [];
  const upTo = (le: string) => buckets.find(({ labels }) => labels.le === le)?.value;
  expect([upTo('0.01'), upTo('0.5'), upTo('2.5'), upTo('10'), upTo('+Inf')]).toEqual([1, 3, 4, 4, 5]);
  expect(metrics?.get('rollcall_http_request_duration_seconds_sum')?.[0]?.value).toBeGreaterThanOrEqual(60.64);
  expect(metrics?.get('rollcall_http_requests_total')).toEqual([
    { labels: { listener: 'production', route: '/a', method: 'GET', status: '200' }, value: 5 },
  ]);
});

test('however many addresses and methods are tried, the number of series is bounded', () => {
  const meter = new RequestMeter('production');
  for (let each = 0; each < 1000; each++) meter.add(request(0, `METHOD-${each}`, null, 404));
  expect(requestMetrics([meter])[0]?.values).toEqual([
    { labels: { listener: 'production', route: 'unmatched', method: 'other', status: 404 }, value: 1000 },
  ]);
});

test('processes are added up, or the worst of them counts, and a label may contain anything', () => {
  const of = (value: number) => [
    counter('calls_total', 'Calls.', [{ labels: { route: 'a"b\\c\nd' }, value }]),
    gauge('delay', 'Delay.', 'max', value),
    gauge('available', 'Whether all are.', 'min', value),
  ];
  const sums = addUp([of(1), of(2)]);
  expect(parseMetrics(toText(addUp([sums, of(4)])))).toEqual(
    new Map([
      ['calls_total', [{ labels: { route: 'a"b\\c\nd' }, value: 7 }]],
      ['delay', [{ labels: {}, value: 4 }]],
      ['available', [{ labels: {}, value: 1 }]],
    ]),
  );
});
