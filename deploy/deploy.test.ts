import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { findUnknownSettings, readConfig } from '../packages/server/src/config.ts';

const FOLDER = import.meta.dirname;
const ROOT = dirname(FOLDER);
const CHART = 'helm/rollcall';
const FILES = globSync(['**/*'], { cwd: FOLDER, withFileTypes: true })
  .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts') && entry.name !== '.env')
  .map((entry) => join(entry.parentPath, entry.name));

const read = (path: string) => readFileSync(resolve(FOLDER, path), 'utf8');
const package_ = (path: string): { version: string; optionalDependencies: Record<string, string> } =>
  JSON.parse(readFileSync(join(ROOT, path), 'utf8'));

test('every setting that is named in deploy exists', () => {
  const names = new Set(FILES.flatMap((file) => readFileSync(file, 'utf8').match(/\bROLLCALL_[A-Z_]+\b/g) ?? []));
  expect(names.size).toBeGreaterThan(8);
  expect(findUnknownSettings(Object.fromEntries([...names].map((name) => [name, 'value'])))).toEqual([]);
});

test('all files have the version of the program', () => {
  const { version } = package_('packages/server/package.json');
  const chart = parse(read(`${CHART}/Chart.yaml`));
  expect([chart.version, chart.appVersion]).toEqual([version, version]);
  for (const file of ['Dockerfile', 'compose.yaml', '../docs/operations.md']) {
    const tags = read(file).match(/(?<=\brollcall:)\d[\w.]*/g);
    expect(new Set(tags), file).toEqual(new Set([version]));
  }
});

test('the image has the major version of the Node with which everything is tested', () => {
  const pinned = Object.values(package_('package.json').optionalDependencies).map((each) => Number.parseInt(each, 10));
  expect(new Set(pinned)).toEqual(new Set([Number(/^ARG NODE_VERSION=(\d+)$/m.exec(read('Dockerfile'))?.[1])]));
});

test('all files use the ports on which the service listens unless it is told otherwise', () => {
  const ports = Object.values(readConfig({}).ports).map(String);
  const found: Record<string, string[]> = {
    Dockerfile: /^EXPOSE (.+)$/m.exec(read('Dockerfile'))?.[1]?.split(' ') ?? [],
    Caddyfile: portsIn('Caddyfile', /127\.0\.0\.1:(\d+)/g),
    'nginx.conf': portsIn('nginx.conf', /127\.0\.0\.1:(\d+)/g),
    'haproxy.cfg': portsIn('haproxy.cfg', /(?:node-\w+|bind ):(\d+)/g),
    'compose.yaml': portsIn('compose.yaml', /127\.0\.0\.1:\d+:(\d+)/g),
    'deployment.yaml': portsIn(`${CHART}/templates/deployment.yaml`, /containerPort: (\d+)/g),
    'service.yaml': portsIn(`${CHART}/templates/service.yaml`, /port: (\d+)/g),
  };
  for (const [file, used] of Object.entries(found)) expect(used, file).toEqual(ports);
});

function portsIn(file: string, pattern: RegExp): string[] {
  return [...new Set(Array.from(read(file).matchAll(pattern), ([, port = '']) => port))].sort();
}

test('large temporary files, such as the database that a drill restores, are on the volume of the image', () => {
  const [, volume = ''] = /^VOLUME (.+)$/m.exec(read('Dockerfile')) ?? [];
  for (const name of ['SQLITE_TMPDIR', 'TMPDIR']) expect(read('Dockerfile')).toContain(`  ${name}=${volume}`);
});

test('a process has the time to drain and to finish before it is killed', () => {
  const { drainSeconds } = readConfig({});
  const finishing = 30;
  for (const [file, pattern] of [
    ['rollcall.service', /^TimeoutStopSec=(\d+)$/m],
    ['compose.yaml', /stop_grace_period: (\d+)s/],
    [`${CHART}/templates/deployment.yaml`, /terminationGracePeriodSeconds: (\d+)/],
  ] as const) {
    expect(Number(pattern.exec(read(file))?.[1]), file).toBeGreaterThan(drainSeconds + finishing);
  }
});

test('a load balancer notices that a node is stopping before the node stops', () => {
  const { drainSeconds } = readConfig({});
  const [, interval = '', failures = ''] = / inter (\d+)s fall (\d+) /.exec(read('haproxy.cfg')) ?? [];
  expect(Number(interval) * Number(failures)).toBeLessThan(drainSeconds);
  const { groups = {} } =
    /readinessProbe:[^#]*?periodSeconds: (?<period>\d+)[^#]*?failureThreshold: (?<failures>\d+)/.exec(
      read(`${CHART}/templates/deployment.yaml`),
    ) ?? {};
  expect(Number(groups.period) * Number(groups.failures)).toBeLessThan(drainSeconds);
});

test('YAML can be parsed, and no secret is written in it', () => {
  for (const file of FILES.filter((each) => /\.ya?ml$/.test(each) && !each.includes('templates'))) {
    for (const document of parseAllDocuments(readFileSync(file, 'utf8'), { merge: true })) {
      expect(document.errors, file).toEqual([]);
    }
  }
  const { services } = parse(read('compose.yaml'), { merge: true });
  expect(Object.keys(services)).toEqual(['database', 'node-one', 'node-two', 'balancer']);
  for (const node of [services['node-one'], services['node-two']]) {
    expect(node).toMatchObject({ read_only: true, cap_drop: ['ALL'], restart: 'unless-stopped' });
    for (const secret of [node.environment.ROLLCALL_SECRET, services.database.environment.POSTGRES_PASSWORD]) {
      expect(secret).toMatch(/^\$\{[A-Z_]+:\?[^}]+\}$/);
    }
  }
});

test('no container of the Compose file can gain privileges, and the database has only those with which its image starts', () => {
  const { services } = parse(read('compose.yaml'), { merge: true });
  for (const [name, service] of Object.entries<Record<string, unknown>>(services)) {
    expect(service, name).toMatchObject({ cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
    const added = name === 'database' ? ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'SETGID', 'SETUID'] : undefined;
    expect(service.cap_add, name).toEqual(added);
  }
});

test('nginx and HAProxy limit what one address can take, and nginx answers to no other names', () => {
  expect(read('nginx.conf')).toMatch(/^limit_conn rollcall_callers \d+;$/m);
  const [unknownNames = ''] = /^server \{[^}]*default_server[^}]*\}/m.exec(read('nginx.conf')) ?? [];
  for (const line of [
    'listen 443 ssl default_server;',
    'listen 80 default_server;',
    'ssl_reject_handshake on;',
    '444;',
  ]) {
    expect(unknownNames).toContain(line);
  }
  const frontends = read('haproxy.cfg')
    .split(/^(?=frontend )/m)
    .slice(1);
  expect(frontends.length).toBe(3);
  for (const frontend of frontends)
    expect(frontend).toMatch(/http-request deny deny_status 429 if \{ sc0_conn_cur gt \d+ \}/);
  const { networks } = parse(read('compose.yaml'), { merge: true });
  const [{ gateway }] = networks.inside.ipam.config;
  expect(new Set(read('haproxy.cfg').match(/(?<=\{ src )\S+/g))).toEqual(new Set([gateway]));
});

test('the chart refuses an ingress without TLS unless it ends elsewhere, and a policy that lets everybody read the metrics', () => {
  const values = parse(read(`${CHART}/values.yaml`));
  expect(values.ingress).toMatchObject({ tlsSecret: '', tlsEndsElsewhere: false });
  const refusals: [file: string, condition: string][] = [
    ['ingress.yaml', 'not (or .Values.ingress.tlsSecret .Values.ingress.tlsEndsElsewhere)'],
    ['network-policy.yaml', 'not .Values.metrics.networkPolicy.from'],
  ];
  for (const [file, condition] of refusals) {
    expect(read(`${CHART}/templates/${file}`)).toMatch(
      new RegExp(`\\{\\{- if ${RegExp.escape(condition)} }}\\n\\{\\{- fail "`),
    );
  }
});

test('every file that another one names exists', () => {
  const named = [
    ...[...read('compose.yaml').matchAll(/\.\/([\w.]+):\//g)].map(([, file = '']) => join(FOLDER, file)),
    ...[...read('Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources = '']) =>
      sources.split(' ').map((source) => join(ROOT, source)),
    ),
    ...[...read('../docs/operations.md').matchAll(/\]\(\.\.\/(deploy[^)#]*)/g)].map(([, file = '']) =>
      join(ROOT, file),
    ),
    join(ROOT, 'packages/server', 'bin', /^ENTRYPOINT \["(.+)"\]$/m.exec(read('Dockerfile'))?.[1] ?? ''),
    join(ROOT, /^ExecStart=\/opt\/rollcall\/(\S+)/m.exec(read('rollcall.service'))?.[1] ?? ''),
  ];
  expect(named.length).toBeGreaterThan(8);
  expect(named.filter((file) => !existsSync(file))).toEqual([]);
});

test('the templates of the chart use only values that it has, and the other way round', () => {
  const templates = FILES.filter((each) => each.includes('templates')).map((file) => readFileSync(file, 'utf8'));
  const used = new Set(templates.join('\n').match(/(?<=\.Values\.)[\w.]+/g));
  const values = parse(read(`${CHART}/values.yaml`));
  const unknown = [...used].filter(
    (path) => path.split('.').reduce((value, key) => value?.[key], values) === undefined,
  );
  expect(unknown).toEqual([]);
  const unused = Object.keys(values).filter((key) => ![...used].some((path) => path.split('.')[0] === key));
  expect(unused).toEqual([]);
});

test('what has to be done about it is written down for every alert', () => {
  const { groups } = parse(read('prometheus/alerts.yml'));
  const rules: { alert: string; annotations: { runbook_url: string } }[] = groups.flatMap(
    ({ rules }: { rules: unknown[] }) => rules,
  );
  const headings = read('../docs/operations.md').match(/(?<=^### )Rollcall\w+$/gm);
  expect(headings).toEqual(rules.map(({ alert }) => alert));
  for (const { alert, annotations } of rules) {
    expect(annotations.runbook_url).toBe(`docs/operations.md#${alert.toLowerCase()}`);
  }
});

function isInstalled(program: string): boolean {
  return (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, program)));
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-deploy-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test.skipIf(!isInstalled('haproxy'))('HAProxy accepts its configuration (skipped without HAProxy)', () => {
  execFileSync('haproxy', ['-c', '-f', join(FOLDER, 'haproxy.cfg')], { stdio: 'pipe' });
});

test.skipIf(!isInstalled('caddy'))('Caddy accepts its configuration (skipped without Caddy)', () => {
  const args = ['validate', '--adapter', 'caddyfile', '--config', join(FOLDER, 'Caddyfile')];
  const home = temporaryFolder();
  execFileSync('caddy', args, { stdio: 'pipe', env: { ...process.env, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home } });
});

const withNginx = test.skipIf(!isInstalled('nginx') || !isInstalled('openssl'));

withNginx('nginx accepts its configuration (skipped without nginx or openssl)', () => {
  const folder = temporaryFolder();
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const request = ['req', '-x509', '-nodes', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
  const subject = ['-subj', '/CN=rollcall.example', '-keyout', key, '-out', certificate];
  execFileSync('openssl', [...request, ...subject], { stdio: 'pipe' });
  const site = read('nginx.conf')
    .replace(/\S+\.pem;/, `${certificate};`)
    .replace(/\S+\.key;/, `${key};`);
  writeFileSync(join(folder, 'site.conf'), site);
  writeFileSync(
    join(folder, 'nginx.conf'),
    `pid nginx.pid; error_log stderr; events {} http { access_log off; include site.conf; }`,
  );
  execFileSync('nginx', ['-t', '-q', '-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'pipe' });
});

test.skipIf(!isInstalled('systemd-analyze'))('systemd knows every line of the unit (skipped without systemd)', () => {
  const folder = temporaryFolder();
  const unit = join(folder, 'rollcall.service');
  // The program is not installed where the unit expects it.
  writeFileSync(unit, read('rollcall.service').replace(/^ExecStart=.*/m, 'ExecStart=/bin/true'));
  const output = execFileSync('sh', ['-c', `systemd-analyze verify ${unit} 2>&1`], { encoding: 'utf8' });
  expect(output).toBe('');
});
