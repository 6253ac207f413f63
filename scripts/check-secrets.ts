// Checks that no file of the repository contains a secret: one of our own API keys, a private key, or a key of a well-known
// service.
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { environmentOfSecret } from '../packages/server/src/domain/credentials/api-key.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LARGEST_BYTES = 2 * 1024 * 1024;

/** Our own are recognised by their checksum, so that an invented one in a text is not reported. */
const OWN = /rc_(?:production|sandbox)_[0-9a-z]{57}/g;

const OTHERS: [name: string, pattern: RegExp][] = [
  ['a private key', /-----BEGIN (?:RSA |EC |OPENSSH |ENCRYPTED )?PRIVATE KEY-----\s+[A-Za-z0-9+/=\s]{100}/],
  ['an AWS access key', /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/],
  ['a GitHub token', /\bgh[pousr]_[A-Za-z0-9]{36}\b/],
  ['an npm token', /\bnpm_[A-Za-z0-9]{36}\b/],
  ['a Slack token', /\bxox[abprs]-[A-Za-z0-9-]{20}/],
];

/** Describes each secret in one sentence, without repeating it. */
export function secretsIn(path: string, text: string): string[] {
  const own = (text.match(OWN) ?? []).filter((found) => environmentOfSecret(found) !== undefined);
  const others = OTHERS.filter(([, pattern]) => pattern.test(text)).map(([name]) => name);
  return [...own.map(() => 'an API key'), ...others].map((name) => `${path} contains ${name}.`);
}

if (import.meta.main) {
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
    .split('\0')
    .filter((path) => path !== '' && isReadable(join(ROOT, path)));
  const problems = files.flatMap((path) => secretsIn(path, readFileSync(join(ROOT, path), 'latin1')));
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
  else process.stdout.write(`No secret in ${files.length} files.\n`);
}

/** A file may have been deleted and not committed yet, and pictures are large. */
function isReadable(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true && found.size <= LARGEST_BYTES;
}
