import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findRiskySettings, findUnknownSettings, LISTENERS, readConfig } from './config.ts';
import { InstallationSecret } from './domain/sealed-text.ts';

test('without any variable the documented defaults hold', () => {
  expect(readConfig({})).toMatchObject({
    databaseUrl: 'sqlite:./data/rollcall.db',
    host: '127.0.0.1',
    ports: { production: 8080, sandbox: 8081, dashboard: 8082 },
    tokenTtlSeconds: 3600,
    drainSeconds: 8,
    rateLimits: {
      api: { perSecond: 100, burst: 200 },
      token: { perSecond: 1, burst: 60, period: 'm' },
      failed: { perSecond: 10 / 60, burst: 10, period: 'm' },
    },
    trustedProxies: { networks: [] },
    secrets: [],
    signingKeyDays: 90,
    auditDays: 0,
    backups: { folder: undefined, everyMs: 6 * 3_600_000, keep: 28 },
    metrics: undefined,
    traceShare: undefined,
    logLevel: 'info',
  });
});

test('every setting in the README is known, and a misspelt one is reported with the one that was probably meant', () => {
  const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
  const documented = [...readme.matchAll(/^\| (`ROLLCALL_.*?) \|/gm)].flatMap(([, names = '']) =>
    names.split(', ').map((name) => name.replaceAll('`', '')),
  );
  expect(documented.length).toBeGreaterThan(12);
  expect(findUnknownSettings(Object.fromEntries(documented.map((name) => [name, 'x'])))).toEqual([]);
  expect(findUnknownSettings({ ROLLCALL_HOTS: 'x', ROLLCALL_ELEPHANT: '', PATH: 'x', ROLLCALL_API_KEY: 'x' })).toEqual([
    'ROLLCALL_HOTS is not a setting and has no effect. Did you mean ROLLCALL_HOST?',
    'ROLLCALL_ELEPHANT is not a setting and has no effect. The README lists all settings.',
  ]);
});

test('an empty variable counts as not set', () => {
  expect(readConfig({ ROLLCALL_PRODUCTION_PORT: '', ROLLCALL_HOST: ' ' })).toEqual(readConfig({}));
});

const OIDC = {
  ROLLCALL_OIDC_ISSUER: 'https://login.example',
  ROLLCALL_OIDC_CLIENT_ID: 'rollcall',
  ROLLCALL_OIDC_CLIENT_SECRET: 'secret',
};

const MAIL = {
  ROLLCALL_SMTP_URL: 'smtps://rollcall:p%40ss@mail.example',
  ROLLCALL_MAIL_FROM: 'Rollcall <rollcall@firm.example>',
};

const TRACES = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };

test.each([
  ['ROLLCALL_PRODUCTION_PORT', '65536'],
  ['ROLLCALL_METRICS_PORT', 'on'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'localhost:4318'],
  ['OTEL_TRACES_SAMPLER_ARG', '2'],
  ['OTEL_TRACES_SAMPLER_ARG', '10 %'],
  ['ROLLCALL_SANDBOX_PORT', '-1'],
  ['ROLLCALL_DASHBOARD_PORT', '80.5'],
  ['ROLLCALL_TOKEN_TTL_SECONDS', '86401'],
  ['ROLLCALL_TOKEN_TTL_SECONDS', '1h'],
  ['ROLLCALL_DRAIN_SECONDS', '301'],
  ['ROLLCALL_BACKUP_EVERY', '0h'],
  ['ROLLCALL_BACKUP_EVERY', '6'],
  ['ROLLCALL_BACKUP_EVERY', '366d'],
  ['ROLLCALL_BACKUP_KEEP', '0'],
  ['ROLLCALL_SIGNING_KEY_DAYS', '0'],
  ['ROLLCALL_SIGNING_KEY_DAYS', '3651'],
  ['ROLLCALL_AUDIT_DAYS', '-1'],
  ['ROLLCALL_AUDIT_DAYS', '36501'],
  ['ROLLCALL_LOG_LEVEL', 'INFO'],
  ['ROLLCALL_RATE_LIMIT_API', 'off'],
  ['ROLLCALL_RATE_LIMIT_TOKEN', '60'],
  ['ROLLCALL_RATE_LIMIT_FAILED', '10/m,0'],
  ['ROLLCALL_TRUSTED_PROXIES', '10.0.0.0/8,proxy.internal'],
  ['ROLLCALL_TRUSTED_PROXIES', '10.0.0.0/33'],
  ['ROLLCALL_CORS_ORIGINS', '*'],
  ['ROLLCALL_CORS_ORIGINS', 'https://app.example,https://*.app.example'],
  ['ROLLCALL_CORS_ORIGINS', 'https://app.example/path'],
  ['ROLLCALL_CORS_ORIGINS', 'app.example'],
  ['ROLLCALL_SMTP_URL', 'mail.example:25'],
  ['ROLLCALL_SMTP_URL', 'https://mail.example'],
  ['ROLLCALL_SMTP_URL', 'smtp://'],
  ['ROLLCALL_SMTP_URL', 'smtps://user:100%@mail.example'],
  ['ROLLCALL_OIDC_ISSUER', 'http://login.example'],
  ['ROLLCALL_OIDC_ISSUER', 'login.example'],
  ['ROLLCALL_OIDC_ISSUER', 'https://login.example/.well-known/openid-configuration'],
  ['ROLLCALL_MAIL_FROM', 'Rollcall'],
  ['ROLLCALL_MAIL_FROM', 'Rollcall <a@firm.example>, b@firm.example'],
  ['ROLLCALL_DATABASE_URL', 'sqlite:'],
  ['ROLLCALL_DATABASE_URL', './data/rollcall.db'],
])('%s=%s is refused in one line that names the variable', (name, value) => {
  expect(() => readConfig({ ...MAIL, ...OIDC, ...TRACES, [name]: value })).toThrow(
    new RegExp(`^${name} must be [^\\n]+$`),
  );
});

test('the two settings for mail are used together', () => {
  expect(readConfig({}).mail).toBeUndefined();
  expect(readConfig(MAIL).mail).toEqual({
    host: 'mail.example',
    port: 465,
    secure: true,
    user: { name: 'rollcall', password: 'p@ss' },
    from: MAIL.ROLLCALL_MAIL_FROM,
  });
  const plain = readConfig({ ...MAIL, ROLLCALL_SMTP_URL: 'smtp://[::1]' }).mail;
  expect(plain).toMatchObject({ host: '::1', port: 587, secure: false, user: undefined });
  for (const [name, value] of Object.entries(MAIL)) {
    expect(() => readConfig({ [name]: value })).toThrow(/ROLLCALL_SMTP_URL and ROLLCALL_MAIL_FROM are used together/);
  }
});

test('the three settings for a sign-in service are used together', () => {
  expect(readConfig({}).oidc).toBeUndefined();
  expect(readConfig(OIDC).oidc).toEqual({
    issuer: 'https://login.example',
    clientId: 'rollcall',
    clientSecret: 'secret',
  });
  for (const name of Object.keys(OIDC)) {
    expect(() => readConfig({ ...OIDC, [name]: '' })).toThrow(`are used together; ${name} is not set.`);
  }
});

test('a refused address of the mail server is not repeated, as it may hold a password', () => {
  const settings = { ...MAIL, ROLLCALL_SMTP_URL: 'imap://rollcall:hunter2@mail.example' };
  expect(() => readConfig(settings)).toThrow(/^ROLLCALL_SMTP_URL must be/);
  expect(() => readConfig(settings)).not.toThrow(/hunter2/);
});

test('a refused database address is not repeated, as it may hold a password', () => {
  expect(() => readConfig({ ROLLCALL_DATABASE_URL: 'mysql://root:hunter2@db' })).not.toThrow(/hunter2/);
});

test('rate limits and trusted proxies are read, and 0 means no limit', () => {
  const config = readConfig({
    ROLLCALL_RATE_LIMIT_API: '500/s, 1000',
    ROLLCALL_RATE_LIMIT_TOKEN: '0',
    ROLLCALL_TRUSTED_PROXIES: '10.0.0.0/8, 2001:DB8::1',
  });
  expect(config.rateLimits.api).toEqual({ perSecond: 500, burst: 1000 });
  expect(config.rateLimits.token).toBeNull();
  expect(config.trustedProxies.networks).toEqual(['10.0.0.0/8', '2001:db8::1']);
});

test('a secret is read in hex or base64url, and a refused one is not repeated', () => {
  const [present, next] = [InstallationSecret.generate(), InstallationSecret.generate()];
  const hex = Buffer.from(next.reveal(), 'base64url').toString('hex');
  const both = { ROLLCALL_SECRET: present.reveal(), ROLLCALL_NEXT_SECRET: ` ${hex} ` };
  expect(readConfig(both).secrets.map(({ id }) => id)).toEqual([present.id, next.id]);
  expect(() => readConfig({ ROLLCALL_NEXT_SECRET: hex })).toThrow(/^ROLLCALL_NEXT_SECRET is used only together with/);
  for (const name of Object.keys(both)) {
    const planted = `${hex}0`;
    const refused = () => readConfig({ ...both, [name]: planted });
    expect(refused).toThrow(new RegExp(`^${name} must be 32 random bytes in hex or base64url`));
    expect(refused).not.toThrow(planted.slice(0, 8));
  }
});

test.each([
  [{}, []],
  [{ ROLLCALL_HOST: '::1' }, []],
  [{ ROLLCALL_HOST: 'localhost' }, []],
  [{ ROLLCALL_HOST: '0.0.0.0' }, ['production, sandbox, dashboard']],
  [{ ROLLCALL_HOST: '10.0.0.1', ROLLCALL_PRODUCTION_URL: 'https://api.firm.example' }, ['sandbox, dashboard']],
  [
    {
      ROLLCALL_HOST: '::',
      ROLLCALL_PRODUCTION_URL: 'https://api.firm.example',
      ROLLCALL_SANDBOX_URL: 'https://sandbox.firm.example',
      ROLLCALL_DASHBOARD_URL: 'https://rollcall.firm.example',
    },
    [],
  ],
])('whoever can be reached by other machines without encryption is warned: %j', (variables, named) => {
  const warnings = findRiskySettings(readConfig(variables), LISTENERS);
  expect(warnings).toHaveLength(named.length);
  for (const name of named) expect(warnings[0]).toContain(`can reach ${name} without encryption`);
});

test.each([
  [{}, undefined],
  [{ OTEL_TRACES_SAMPLER_ARG: '0.01' }, undefined],
  [TRACES, 1],
  [{ ...TRACES, OTEL_TRACES_SAMPLER_ARG: '0.01' }, 0.01],
  [{ ...TRACES, OTEL_TRACES_SAMPLER_ARG: '0' }, 0],
])('with %j, this share of the requests is traced: %s', (settings, share) => {
  expect(readConfig(settings).traceShare).toBe(share);
});

test('backups are for SQLite, and should not be in the folder of the secret', () => {
  const folder = { ROLLCALL_BACKUP_DIR: './data', ROLLCALL_BACKUP_EVERY: '30m', ROLLCALL_BACKUP_KEEP: '5' };
  expect(readConfig(folder).backups).toMatchObject({ everyMs: 1_800_000, keep: 5 });
  expect(findRiskySettings(readConfig(folder), LISTENERS)).toEqual([
    expect.stringMatching(/^ROLLCALL_BACKUP_DIR is the folder of the database and of its secret/),
  ]);
  expect(findRiskySettings(readConfig({ ...folder, ROLLCALL_BACKUP_DIR: '/mnt/backups' }), LISTENERS)).toEqual([]);
  const onPostgres = { ...folder, ROLLCALL_DATABASE_URL: 'postgres://user:hunter2@db/rollcall' };
  expect(() => readConfig(onPostgres)).toThrow(/^ROLLCALL_BACKUP_DIR is for SQLite\. .+pg_dump.+docs\/backup\.md/);
});
