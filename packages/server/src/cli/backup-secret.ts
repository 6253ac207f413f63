import type { Config } from '../config.ts';
import { InstallationSecrets, SecretUnavailable } from '../domain/installation-secrets.ts';
import { requireSecret } from '../domain/manage-secret.ts';
import { secretSource } from '../store/secret-source.ts';

/** Why a service with these settings could not open what was encrypted with this secret. */
export function problemWithSecret(
  { databaseUrl, secrets }: Pick<Config, 'databaseUrl' | 'secrets'>,
  secretId: string | null,
): string | undefined {
  if (secretId === null) return undefined;
  try {
    requireSecret(new InstallationSecrets(secretSource(databaseUrl, secrets)), secretId);
    return undefined;
  } catch (error) {
    if (error instanceof SecretUnavailable) return error.message;
    throw error;
  }
}
