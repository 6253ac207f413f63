import { fork } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SigningKeyRing } from '../../../domain/credentials/signing-keys.ts';
import { InstallationSecrets } from '../../../domain/installation-secrets.ts';
import { prepareSecret, rotateSecret } from '../../../domain/manage-secret.ts';
import { InstallationSecret } from '../../../domain/sealed-text.ts';
import { TestClock } from '../../../testing/builders.ts';
import { onDatabase } from '../../../testing/raw-database.ts';
import { openTestStoreAt, temporaryFolder } from '../../../testing/test-store.ts';
import { copyDatabase } from '../../copy-database.ts';
import { SecretFile } from './secret-file.ts';

function open() {
  const folder = temporaryFolder();
  const file = join(folder, 'rollcall.secret');
  return { folder, file, source: new SecretFile(join(folder, 'rollcall.db')) };
}

test('the file is made once, belongs to its user alone, and is read again by every process', () => {
  const { folder, file, source } = open();
  expect(source.read()).toEqual([]);
  const { id } = source.make();
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, 'utf8')).toMatch(/^[\w-]{43}\n$/);
  expect(source.make().id, 'it is never replaced').toBe(id);
  expect(new SecretFile(join(folder, 'other.db')).read().map((secret) => secret.id)).toEqual([id]);
  expect(readdirSync(folder)).toEqual(['rollcall.secret']);
});

test('processes that start at once agree on one secret', async () => {
  const { folder } = open();
  const script = join(folder, 'make.mjs');
  const module = new URL('./secret-file.ts', import.meta.url).href;
  writeFileSync(
    script,
    `const { SecretFile } = await import(${JSON.stringify(module)});
     const source = new SecretFile(${JSON.stringify(join(folder, 'rollcall.db'))});
     process.once('message', () => process.send(source.make().id, () => process.disconnect()));
     process.send('ready');`,
  );
  const children = Array.from({ length: 5 }, () => fork(script, { execArgv: [] }));
  await Promise.all(children.map((child) => once(child, 'message')));
  const ids = children.map((child) => once(child, 'message'));
  for (const child of children) child.send('go');
  expect(new Set((await Promise.all(ids)).map(([id]) => id)).size).toBe(1);
  expect(readdirSync(folder).sort()).toEqual(['make.mjs', 'rollcall.secret']);
});

test.each([
  ['an empty file', ''],
  ['half a secret', InstallationSecret.generate().reveal().slice(0, 20)],
  ['two secrets', `${InstallationSecret.generate().reveal()}\n${InstallationSecret.generate().reveal()}`],
  ['something else', 'rollcall'],
])('%s is never taken for a secret and never overwritten', (_what, text) => {
  const { file, source } = open();
  writeFileSync(file, text);
  for (const use of [() => source.read(), () => source.make()]) {
    expect(use).toThrow(
      /^The file \S+rollcall\.secret does not contain a secret: 32 random bytes.+`rollcall secret reset`\.$/,
    );
  }
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test('a folder that cannot be written to is reported in one line that names the setting', () => {
  const { folder } = open();
  const source = new SecretFile(join(folder, 'missing', 'rollcall.db'));
  expect(() => source.make()).toThrow(/^The file \S+ cannot be created: [^\n]+ROLLCALL_SECRET instead\.$/);
});

test('beside a symbolic link, the file is where the database is', () => {
  const { folder, source } = open();
  const { id } = source.make();
  writeFileSync(join(folder, 'rollcall.db'), '');
  const link = join(temporaryFolder(), 'link.db');
  symlinkSync(join(folder, 'rollcall.db'), link);
  expect(new SecretFile(link).read().map((secret) => secret.id)).toEqual([id]);
});

test('a link to a file that is not there is reported, and no secret is used that nobody could read again', () => {
  const { folder, source } = open();
  symlinkSync(join(folder, 'not-mounted', 'rollcall.secret'), join(folder, 'rollcall.secret'));
  expect(() => source.make()).toThrow(
    /rollcall\.secret is a link to a file that does not exist\. Restore that file first\.$/,
  );
});

test('after a crash at any point of a rotation, the secret of the database is there, and the next start completes it', () => {
  const { folder, file, source } = open();
  const former = source.make();
  const next = source.next();
  expect(source.next().id, 'an interrupted rotation goes on with its secret').toBe(next.id);

  // The database still uses the former secret: nothing is removed, because the rotation may still be running.
  source.complete(former.id);
  expect(source.kept(former.id)).toBeUndefined();
  const ids = () => source.read().map((secret) => secret.id);
  expect(ids()).toEqual([former.id, next.id]);

  // The database uses the next one.
  expect(new InstallationSecrets(source).byId(next.id)).toMatchObject({ id: next.id });
  source.complete(next.id);
  expect(source.kept(former.id)).toMatchObject({ secret: { id: former.id }, file: `${file}.${former.id}` });
  expect(ids()).toEqual([next.id]);
  expect(InstallationSecret.parse(readFileSync(`${file}.${former.id}`, 'utf8').trim())?.id).toBe(former.id);
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777, name).toBe(0o600);

  // Another process completes it again, or had been interrupted between the two steps.
  source.complete(next.id);
  expect(ids()).toEqual([next.id]);
  renameSync(file, `${file}.next`);
  writeFileSync(file, former.reveal());
  source.complete(next.id);
  expect(ids()).toEqual([next.id]);
});

test('a running process finds the new secret, and without any secret the failure says what to do', () => {
  const { file, source } = open();
  const secrets = new InstallationSecrets(source);
  const former = secrets.first();
  expect(secrets.byId(former.id)).toBeDefined();
  const next = source.next();
  source.complete(next.id);
  expect(secrets.byId(next.id).id).toBe(next.id);
  rmSync(file);
  expect(secrets.byId(next.id).id, 'it stays in memory').toBe(next.id);
  expect(() => new InstallationSecrets(source).byId(next.id)).toThrow(
    new RegExp(
      `another secret \\(its id is ${next.id}\\)\\. Provide that secret in ROLLCALL_SECRET or in the file ${file}, .+ \`rollcall secret reset\`\\.$`,
    ),
  );
});

/** What a process that was killed left behind this long ago, under this name. */
function leftBehind(folder: string, name: string, { seconds = 61, mode = 0o600 } = {}): void {
  const file = join(folder, name);
  writeFileSync(file, InstallationSecret.generate().reveal());
  chmodSync(file, mode);
  const at = Date.now() / 1000 - seconds;
  utimesSync(file, at, at);
}

test.each([
  ['first start', (source: SecretFile) => source.make()],
  ['next start', (source: SecretFile) => source.complete(InstallationSecret.generate().id)],
  ['next rotation', (source: SecretFile) => source.next()],
])('the %s removes what a killed process has left, and nothing else', (_what, use) => {
  const { folder, source } = open();
  const abandoned = ['rollcall.secret.0123456789ab.tmp', 'rollcall.secret.next.0123456789ab.tmp'];
  for (const name of abandoned) leftBehind(folder, name);
  const others = [
    'rollcall.secret.tmp',
    'rollcall.secret.0123456789ab',
    'rollcall.secret.0123456789abcdef',
    'rollcall.secret.0123456789abcdef.tmp',
    'rollcall.secret.old.0123456789ab.tmp',
    'my-rollcall.secret.0123456789ab.tmp',
    'rollcall.secret.0123456789ab.tmp.txt',
  ];
  for (const name of others) leftBehind(folder, name);
  leftBehind(folder, 'rollcall.secret.aaaaaaaaaaaa.tmp', { seconds: 30 });
  leftBehind(folder, 'rollcall.secret.bbbbbbbbbbbb.tmp', { mode: 0o644 });
  const subfolder = join(folder, 'rollcall.secret.cccccccccccc.tmp');
  mkdirSync(subfolder, { mode: 0o600 });
  utimesSync(subfolder, 1, 1);
  const before = readdirSync(folder);
  use(source);
  const after = readdirSync(folder);
  expect(before.filter((name) => !after.includes(name)).sort()).toEqual(abandoned);
});

/** A database in this folder on which a service has been started, and a way to start another one. */
async function aDatabaseIn(folder: string, name: string) {
  const url = `sqlite:${join(folder, name)}`;
  const clock = new TestClock();
  const start = async () => {
    const started = { ...(await openTestStoreAt(url, { secrets: [] })), clock };
    await prepareSecret(started);
    return { ...started, ring: await SigningKeyRing.open(started) };
  };
  const process = await start();
  return { process, start, kid: process.ring.current().kid };
}

test('databases in one folder are rotated one by one, and each still finds its secret', async () => {
  const { folder, file } = open();
  const [one, two] = [await aDatabaseIn(folder, 'one.db'), await aDatabaseIn(folder, 'two.db')];
  const first = await one.process.sealed.secretId();
  expect(await two.process.sealed.secretId()).toBe(first);
  const all = [one, one, two, one, two, two];
  for (const rotated of all) {
    const former = await rotated.process.sealed.secretId();
    const { id, keptIn } = await rotateSecret(await rotated.start());
    expect(keptIn, 'the former secret of this database').toBe(`${file}.${former}`);
    expect(readSecretIn(keptIn)).toBe(former);
    expect(readSecretIn(file)).toBe(id);
    for (const { start, kid } of [one, two]) {
      expect((await start()).ring.current()).toMatchObject({ kid, privateKey: expect.anything() });
    }
  }
});

test('a backup from before a rotation works beside the kept secret, also as the source of a copy', async () => {
  const { folder, file } = open();
  const { process, kid } = await aDatabaseIn(folder, 'rollcall.db');
  await onDatabase(`sqlite:${join(folder, 'rollcall.db')}`, `vacuum into '${join(folder, 'saved.db')}'`);
  const present = await rotateSecret(process);
  const restored = await aDatabaseIn(folder, 'saved.db');
  expect(restored.kid).toBe(kid);
  const copy = `sqlite:${join(temporaryFolder(), 'copy.db')}`;
  await copyDatabase(`sqlite:${join(folder, 'saved.db')}`, copy, () => {}, {
    settings: [InstallationSecret.generate()],
  });
  expect(readSecretIn(file), 'the present secret stays where it is').toBe(present.id);
});

test('a secret that is nowhere is asked for under a name that replaces no other one', () => {
  const { folder, file, source } = open();
  const { id } = InstallationSecret.generate();
  const failure = (of: string) => {
    try {
      return new InstallationSecrets(source).byId(of).id;
    } catch (error) {
      return (error as Error).message;
    }
  };
  expect(failure(id)).toContain(`in the file ${file}, or`);
  source.make();
  expect(failure(id)).toContain(`in the file ${file}.${id}, or`);
  // A kept file counts only if it has the secret that its name says, and an id is never a way to another file.
  writeFileSync(`${file}.${id}`, InstallationSecret.generate().reveal());
  expect(failure(id)).toContain('another secret');
  writeFileSync(join(folder, 'other'), InstallationSecret.generate().reveal());
  for (const odd of ['unknown', '/../other', 'next']) expect(failure(odd)).toContain(`in the file ${file}, or`);
});

function readSecretIn(file = ''): string | undefined {
  return InstallationSecret.parse(readFileSync(file, 'utf8').trim())?.id;
}
