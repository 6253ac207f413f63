import type { Scope } from '#contract/credentials/keys.ts';

/** Stands for the secret of a key after it can no longer be shown. */
export const SECRET_PLACEHOLDER = 'YOUR_SECRET';

/** Commands that exchange a secret for an access token and, if the key may read, list clients with it. */
export function exampleCommand(address: string, secret: string, scopes: readonly Scope[]): string {
  const exchange = `curl -s -H 'api-key: ${secret}' ${address}/api/v1/generate-access-token/`;
  if (!canRead(scopes)) return exchange;
  return [
    `TOKEN=$(${exchange} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    `curl -s -H "Authorization: Bearer $TOKEN" '${address}/api/v1/clients-list/?page_limit=3'`,
  ].join('\n');
}

export function canRead(scopes: readonly Scope[]): boolean {
  return scopes.includes('clients:read');
}
