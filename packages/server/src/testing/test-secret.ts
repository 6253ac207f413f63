import { InstallationSecret } from '../domain/sealed-text.ts';

/** The secret of installations in tests, in the form of the setting. */
export const TEST_SECRET_TEXT = 'e47080e19cafa81303079bce574265784320cfd9fbfe8b23da0b063b329462e9';

export const TEST_SECRET = secretOf(TEST_SECRET_TEXT);

export function secretOf(text: string): InstallationSecret {
  const secret = InstallationSecret.parse(text);
  if (!secret) throw new Error('This is not a secret.');
  return secret;
}
