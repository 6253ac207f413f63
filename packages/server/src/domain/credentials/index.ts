export { type Principal, TOKEN_MAX_SECONDS } from './access-token.ts';
export type { ApiKey } from './api-key.ts';
export { type AuthenticateDeps, authenticate } from './authenticate.ts';
export { type EndedKeyStore, EndedKeysMirror, type OnKeysEnded } from './ended-keys.ts';
export type { ExchangeKeyDeps, KeyLookup } from './exchange-key.ts';
export { dayOf, KeyUsageCounter, type KeyUsageStore } from './key-usage.ts';
export { type ApiKeys, createKey, type KeyChanges, labelOfKey } from './manage-keys.ts';
export { KeyRing, type SigningKeyChanges, type SigningKeyStore } from './signing-keys.ts';
export { TokenCache } from './token-cache.ts';
