export { keyChangesIn, openApiKeys } from './api-keys.ts';
export { openKeyUsage } from './key-usage.ts';
export { openSigningKeys, signingKeyChangesIn } from './signing-keys.ts';
