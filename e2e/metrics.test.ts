import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exchange, list } from './api.ts';
import { matching, readMetrics, sumOf } from './metrics.ts';
import { alertNamesIn, fileText, metricNamesIn } from './metrics-names.ts';
import { workersOf } from './processes.ts';
import { NO_RATE_LIMITS, Program } from './program.ts';
import { createTestAccount } from './test-account.ts';

const REQUESTS = 'rollcall_http_requests_total';
const DURATIONS = 'rollcall_http_request_duration_seconds';
const LIST = { listener: 'production', route: '/api/v1/clients-list/', method: 'GET', status: '200' };

async function serveWithMetrics(settings: Record<string, string> = {}) {
  const program = new Program({ ROLLCALL_METRICS_PORT: '0', ...NO_RATE_LIMITS, ...settings });
  if (settings.ROLLCALL_BACKUP_DIR) mkdirSync(join(program.folder, settings.ROLLCALL_BACKUP_DIR));
  const { key } = await createTestAccount(program);
  const service = await program.serve();
  const { metrics } = JSON.parse(service.output);
  return { program, service, key: key.api_key, address: metrics as string };
}

test('the metrics of two workers agree with the requests made and with what is written about them, and none falls when a worker is killed', async () => {
  const { service, key, address } = await serveWithMetrics({ ROLLCALL_WORKERS: '2', ROLLCALL_BACKUP_DIR: 'backups' });
  const token = (await exchange(service.production, key)).data.access_token;
  const [killed = 0, stopped = 0] = workersOf(service.process.pid ?? 0);
  await Promise.all(Array.from({ length: 40 }, () => list(service.production, token)));
  for (let each = 0; each < 5; each++) await fetch(`${service.sandbox}/healthz`);
  await fetch(`${service.dashboard}/healthz`);

  const metrics = await readMetrics(address);
  expect(sumOf(metrics, REQUESTS, LIST)).toBe(40);
  expect(sumOf(metrics, `${DURATIONS}_count`, LIST)).toBe(40);
  expect(sumOf(metrics, `${DURATIONS}_bucket`, { ...LIST, le: '+Inf' })).toBe(40);
  expect(sumOf(metrics, REQUESTS, { listener: 'sandbox', route: '/healthz' })).toBe(5);
  expect(sumOf(metrics, REQUESTS, { listener: 'dashboard', route: '/healthz' })).toBe(1);
  expect(sumOf(metrics, 'rollcall_page_cache_hits_total') + sumOf(metrics, 'rollcall_page_cache_misses_total')).toBe(
    40,
  );
  expect(sumOf(metrics, 'rollcall_serving_processes')).toBe(2);
  expect(matching(metrics, 'rollcall_build_info', { engine: 'sqlite' })).toMatchObject([{ value: 1 }]);

  expect(sumOf(metrics, 'rollcall_backup_interval_seconds')).toBe(6 * 3600);
  const answered = new Set(metrics.keys());
  for (const file of ['deploy/grafana/rollcall.json', 'deploy/prometheus/alerts.yml']) {
    expect([...metricNamesIn(fileText(file)).difference(answered)], `only in ${file}`).toEqual([]);
  }
  const described = metricNamesIn(fileText('docs/metrics.md'));
  const histogramPart = /_(bucket|sum|count)$/;
  expect(described).toEqual(new Set([...answered].map((name) => name.replace(histogramPart, ''))));

  const backUpAge = async () =>
    Date.now() / 1000 - sumOf(await readMetrics(address), 'rollcall_backup_last_success_timestamp_seconds');
  await expect.poll(backUpAge).toBeLessThan(600);

  const replaced = (workers: number) =>
    expect
      .poll(async () => {
        const current = await readMetrics(address);
        return [sumOf(current, 'rollcall_workers_replaced_total'), sumOf(current, 'rollcall_serving_processes')];
      })
      .toEqual([workers, 2]);
  process.kill(killed, 'SIGKILL');
  await replaced(1);
  expect(sumOf(await readMetrics(address), REQUESTS, LIST)).toBe(40);
  await Promise.all(Array.from({ length: 10 }, () => list(service.production, token)));
  // One that is asked to stop reports what it has counted until then.
  process.kill(stopped, 'SIGTERM');
  await replaced(2);
  expect(sumOf(await readMetrics(address), REQUESTS, LIST)).toBe(50);
  expect(await service.stop()).toBe(0);
});

test('every alert is described, has a place that says what to do, and is tested', () => {
  const rules = fileText('deploy/prometheus/alerts.yml');
  const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);
  expect(alerts.length).toBeGreaterThan(10);
  for (const file of ['docs/metrics.md', 'deploy/prometheus/alerts-test.yml']) {
    expect(alertNamesIn(fileText(file)), file).toEqual(new Set(alerts));
  }
  const places = [...rules.matchAll(/runbook_url: (\S+)/g)].map(([, place]) => place);
  expect(places).toEqual(alerts.map((name) => `docs/operations.md#${name.toLowerCase()}`));
});

test('addresses and methods that nobody knows share one series, and refused calls are counted by their limit', async () => {
  const { program, service, key, address } = await serveWithMetrics({ ROLLCALL_RATE_LIMIT_API: '1/h,2' });
  for (let each = 0; each < 5; each++) await fetch(`${service.production}/canary-${each}?email=canary@mail.example`);
  for (const method of ['PROPFIND', 'MKCOL', 'PURGE']) await fetch(`${service.production}/canary`, { method });
  const token = (await exchange(service.production, key)).data.access_token;
  for (let each = 0; each < 5; each++) await list(service.production, token);

  const unmatched = { listener: 'production', route: 'unmatched' };
  await expect.poll(async () => sumOf(await readMetrics(address), REQUESTS, unmatched)).toBe(8);
  const metrics = await readMetrics(address);
  expect(matching(metrics, REQUESTS, unmatched)).toEqual([
    { labels: { ...unmatched, method: 'GET', status: '404' }, value: 5 },
    { labels: { ...unmatched, method: 'other', status: '404' }, value: 3 },
  ]);
  expect(sumOf(metrics, 'rollcall_limits_hit_total', { limit: 'api_calls' })).toBe(3);
  expect(sumOf(metrics, REQUESTS, { ...LIST, status: '429' })).toBe(3);
  expect(await (await fetch(address)).text()).not.toContain('canary');
  const top = await program.run(['top', '--once', '--url', address]);
  expect(top).toMatchObject({ code: 0, stderr: '' });
  expect(top.stdout).toMatch(
    /^Rollcall \S+ on sqlite.*\nrequests .*\nlimits .*\ncaches .*\nprocess .*\ndatabase {3}available/,
  );
  const answers = await Promise.all([
    fetch(address, { method: 'HEAD' }),
    fetch(address, { method: 'POST' }),
    fetch(new URL('/', address)),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 405, 404]);
});

test('metrics are off by default, and one line says so, or that their port is in use', async () => {
  const { service, address } = await serveWithMetrics();
  expect(new URL(address).hostname).toBe('127.0.0.1');
  const other = new Program({ ROLLCALL_METRICS_PORT: new URL(address).port });
  const { code, stderr } = await other.run(['serve']);
  expect(code).toBe(1);
  expect(stderr.trim().split('\n').at(-1)).toBe(
    `rollcall: Port ${new URL(address).port} on 127.0.0.1 is already in use; set ROLLCALL_METRICS_PORT to a free one.`,
  );
  expect(await service.stop()).toBe(0);
  const off = new Program();
  expect(JSON.parse((await off.serve()).output)).not.toHaveProperty('metrics');
  const top = await off.run(['top']);
  expect(top.code).toBe(1);
  expect(top.stderr).toMatch(/^rollcall: Metrics are off\. Set ROLLCALL_METRICS_PORT, .*\n$/);
});
