import { resolve } from 'node:path';
import { Failure } from '../domain/failure.ts';
import type { SecretSource } from '../domain/installation-secrets.ts';
import type { InstallationSecret } from '../domain/sealed-text.ts';
import { SecretFile } from './engines/sqlite/secret-file.ts';

/** The secrets of the settings. Without any, those in the file beside an SQLite database. */
export function secretSource(databaseUrl: string, settings: readonly InstallationSecret[]): SecretSource {
  if (settings.length === 0 && databaseUrl.startsWith('sqlite:')) {
    return new SecretFile(resolve(databaseUrl.slice('sqlite:'.length)));
  }
  return {
    placeFor: () => 'ROLLCALL_SECRET',
    read: () => [...settings],
    make: () => {
      throw missingSecret();
    },
    next: () => {
      const [present, next] = settings;
      if (next && next.id !== present?.id) return next;
      throw new Failure(
        'bad_parameter',
        'Set ROLLCALL_NEXT_SECRET to the new secret, which `rollcall secret new` prints, and ROLLCALL_SECRET to the present one. Nothing was changed.',
      );
    },
    complete: () => undefined,
    kept: () => undefined,
  };
}

/** All secrets that a database may have been encrypted with: those of the settings, and those in the files of an SQLite database. */
export function everySecret(databaseUrl: string, settings: readonly InstallationSecret[]): SecretSource {
  const source = secretSource(databaseUrl, settings);
  if (settings.length === 0 || !databaseUrl.startsWith('sqlite:')) return source;
  const file = secretSource(databaseUrl, []);
  return {
    ...source,
    placeFor: (id) => file.placeFor(id),
    read: () => [...settings, ...file.read()],
    kept: (id) => file.kept(id),
  };
}

export function missingSecret(): Failure {
  return new Failure(
    'bad_parameter',
    'ROLLCALL_SECRET is not set. It encrypts signing keys and second factors: set it to the secret of this database, or, if it has none yet, to what `rollcall secret new` prints, the same on every node, and keep a copy of it, but not with the backups of the database.',
  );
}
