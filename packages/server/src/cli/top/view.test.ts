import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { parseMetrics } from '../../metrics/parse-text.ts';
import { draw } from './draw.ts';
import { Reading } from './reading.ts';
import { quantile, viewOf } from './view.ts';

const reading = (text: string, at = 0) => new Reading(parseMetrics(text) ?? new Map(), at);

const request = (route: string, status: number, count: number) =>
  `rollcall_http_requests_total{listener="production",route="${route}",method="GET",status="${status}"} ${count}`;

test('a view shows what has happened between two readings, also if the service was restarted meanwhile', () => {
  const before = reading(
    [request('/a', 200, 100), request('/a', 503, 0), request('/restarted', 200, 1000), request('/idle', 200, 7)].join(
      '\n',
    ),
  );
  const now = reading(
    [request('/a', 200, 400), request('/a', 503, 100), request('/restarted', 200, 50), request('/idle', 200, 7)].join(
      '\n',
    ),
    10_000,
  );
  const { routes } = viewOf(before, now, 0);
  expect(routes).toMatchObject([
    { route: '/a', perSecond: 40, errorsPerSecond: 10 },
    { route: '/restarted', perSecond: 5, errorsPerSecond: 0 },
  ]);
});

test.each([
  [0.5, [10, 20, 20], 0.01],
  [0.75, [10, 20, 20], 0.055],
  [0.99, [0, 0, 5], Number.POSITIVE_INFINITY],
  [0.5, [0, 0, 0], undefined],
])('the quantile %d of %j is estimated as %d', (share, counts, expected) => {
  const bounds = [0.01, 0.1, Number.POSITIVE_INFINITY];
  const buckets = counts.map((count, index) => ({ upToSeconds: bounds[index] ?? 0, count }));
  const estimated = quantile(share, buckets);
  if (expected === undefined) expect(estimated).toBeUndefined();
  else expect(estimated).toBeCloseTo(expected, 6);
});

test('a view of any number of routes fits in a terminal of 80 columns and 24 rows, and prints no control characters', () => {
  const routes = Array.from({ length: 50 }, (_, each) =>
    request(`/a-very-long-route-${'x'.repeat(60)}\\n\x1b[2J${each}`, 500, each + 1),
  );
  const now = reading([...routes, 'rollcall_database_available 0'].join('\n'));
  const lines = draw(viewOf(reading(''), now, 0), `http://127.0.0.1:9464/${'y'.repeat(80)}`, { columns: 80, rows: 24 });
  const plain = lines.map(stripVTControlCharacters);
  expect(plain.length).toBeLessThanOrEqual(24);
  for (const line of plain) expect(line.length, line).toBeLessThanOrEqual(80);
  expect(plain.join('')).not.toMatch(/\p{Cc}/u);
  expect(plain.join('\n')).toContain('UNAVAILABLE');
});

test('a view of as many routes as are accepted is made at once, and more than that is not taken for metrics', () => {
  const many = (routes: number, value: number) =>
    Array.from({ length: routes }, (_, each) =>
      [
        request(`/${each}`, 200, value),
        `rollcall_limits_hit_total{limit="${each}"} ${value}`,
        `rollcall_http_request_duration_seconds_bucket{listener="production",route="/${each}",le="+Inf"} ${value}`,
      ].join('\n'),
    ).join('\n');
  const startedAt = performance.now();
  const view = viewOf(reading(many(16_000, 1)), reading(many(16_000, 2)), 0);
  expect(performance.now() - startedAt).toBeLessThan(10_000);
  expect([view.routes.length, view.limits.length]).toEqual([16_000, 16_000]);
  expect(parseMetrics(many(20_000, 1))).toBeUndefined();
});

test.each([
  ['a name without a value', `up{${'a'.repeat(200_000)}} 1`],
  ['many names without a value', `up{${'a'.repeat(4000)}} 1\n`.repeat(2000)],
  ['an endless text', `up{a="${'\\"'.repeat(1900)}} 1\n`.repeat(2000)],
  ['a long line', `# ${'a'.repeat(10_000)}`],
  ['text between labels', 'up{a="1" b="2"} 1'],
])('%s is at once recognised as not being metrics', (_, text) => {
  const startedAt = performance.now();
  expect(parseMetrics(text)).toBeUndefined();
  expect(performance.now() - startedAt).toBeLessThan(2000);
});
