export { openApiKeys } from './api-keys.ts';
export { keyChangesIn } from './key-changes.ts';
export { openKeyDirectory } from './key-directory.ts';
export { openKeyListings } from './key-listings.ts';
export { openKeyUsage } from './key-usage.ts';
export { openSigningKeys, readSigningKeys, signingKeyChangesIn } from './signing-keys.ts';
