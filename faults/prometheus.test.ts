import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, type TestContext, test } from 'vitest';
import { exchange, list } from '../e2e/api.ts';
import { fileText } from '../e2e/metrics-names.ts';
import { NO_RATE_LIMITS, Program } from '../e2e/program.ts';
import { createTestAccount } from '../e2e/test-account.ts';

const RULES = fileURLToPath(new URL('../deploy/prometheus/', import.meta.url));

/** `apt-get install prometheus` brings both programs. */
function skipUnlessInstalled(context: TestContext): void {
  if (spawnSync('prometheus', ['--version']).status !== 0) context.skip('Prometheus is not installed here');
}

const promtool = (args: string[], input?: string) => {
  const { status, stdout, stderr } = spawnSync('promtool', args, {
    cwd: RULES,
    encoding: 'utf8',
    ...(input && { input }),
  });
  return { status, output: stdout + stderr };
};

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
}

/** A real Prometheus with our rules that reads this service every second. Returns the address of its API. */
async function startPrometheus(target: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-prometheus-'));
  const config = join(folder, 'prometheus.yml');
  const settings = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [join(RULES, 'alerts.yml')],
    scrape_configs: [{ job_name: 'rollcall', static_configs: [{ targets: [target] }] }],
  };
  // JSON is also YAML.
  writeFileSync(config, JSON.stringify(settings));
  const address = `127.0.0.1:${await freePort()}`;
  const args = [`--config.file=${config}`, `--storage.tsdb.path=${folder}/data`, `--web.listen-address=${address}`];
  const child = spawn('prometheus', args, { stdio: 'ignore' });
  onTestFinished(async () => {
    child.kill();
    await once(child, 'exit');
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  });
  return `http://${address}/api/v1`;
}

interface QueryAnswer {
  status: string;
  data: { result: { value: [number, string] }[] };
}

async function query(api: string, expression: string): Promise<QueryAnswer> {
  return (await (await fetch(`${api}/query?query=${encodeURIComponent(expression)}`)).json()) as QueryAnswer;
}

/** The value of an expression with one result, or `undefined` while there is none. */
async function singleValue(api: string, expression: string): Promise<number | undefined> {
  try {
    const value = (await query(api, expression)).data.result[0]?.value[1];
    return value === undefined ? undefined : Number(value);
  } catch {
    // It is not up yet.
    return undefined;
  }
}

interface Dashboard {
  panels: { title: string; targets: { expr: string }[] }[];
}

test('promtool accepts the rules, and each alert fires for its reason and for no other', (context) => {
  skipUnlessInstalled(context);
  expect(promtool(['check', 'rules', '--lint=all', '--lint-fatal', 'alerts.yml'])).toMatchObject({ status: 0 });
  expect(promtool(['test', 'rules', 'alerts-test.yml'])).toMatchObject({ status: 0 });
});

test('a real Prometheus reads the metrics of two workers, evaluates every rule and every panel of the dashboard, and notices when the service is down', async (context) => {
  skipUnlessInstalled(context);
  const program = new Program({ ROLLCALL_METRICS_PORT: '0', ROLLCALL_WORKERS: '2', ...NO_RATE_LIMITS });
  const { key } = await createTestAccount(program);
  const service = await program.serve();
  const { metrics } = JSON.parse(service.output) as { metrics: string };
  expect(promtool(['check', 'metrics'], await (await fetch(metrics)).text())).toEqual({ status: 0, output: '' });
  const api = await startPrometheus(new URL(metrics).host);
  await expect.poll(() => singleValue(api, 'up{job="rollcall"}')).toBe(1);

  const token = (await exchange(service.production, key.api_key)).data.access_token;
  for (let each = 0; each < 30; each++) await list(service.production, token);
  const requests = 'sum(rollcall_http_requests_total{route="/api/v1/clients-list/",status="200"})';
  await expect.poll(() => singleValue(api, requests)).toBe(30);
  await expect.poll(() => singleValue(api, 'count_over_time(up[1m])')).toBeGreaterThan(5);

  for (const { title, targets } of (JSON.parse(fileText('deploy/grafana/rollcall.json')) as Dashboard).panels) {
    for (const { expr } of targets) {
      const expression = expr.replaceAll('$instance', '.*').replaceAll('$__rate_interval', '1m');
      const { status, data } = await query(api, expression);
      expect(status, title).toBe('success');
      // There were no errors.
      if (!title.startsWith('Server errors')) expect(data.result.length, `${title}: ${expr}`).toBeGreaterThan(0);
    }
  }

  interface Rules {
    data: { groups: { rules: { name: string; health: string; state: string }[] }[] };
  }
  const rules = async () => {
    const { data } = (await (await fetch(`${api}/rules`)).json()) as Rules;
    return data.groups.flatMap((group) => group.rules);
  };
  await expect.poll(async () => (await rules()).map(({ health }) => health)).toEqual(Array(15).fill('ok'));
  expect((await rules()).filter(({ state }) => state === 'firing')).toEqual([]);
  expect(await service.stop()).toBe(0);
  const down = async () => (await rules()).find(({ name }) => name === 'RollcallDown')?.state;
  await expect.poll(down).toBe('pending');
  await expect.poll(down, { timeout: 300_000, interval: 1000 }).toBe('firing');
});
