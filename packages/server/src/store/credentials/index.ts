export { openApiKeys } from './api-keys.ts';
export { keyChangesIn } from './key-changes.ts';
export { openKeyDirectory } from './key-directory.ts';
export { openKeyUsage } from './key-usage.ts';
export { openSigningKeys, signingKeyChangesIn } from './signing-keys.ts';
