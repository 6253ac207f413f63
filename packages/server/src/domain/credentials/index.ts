export { type Principal, TOKEN_MAX_SECONDS } from './access-token.ts';
export type { ApiKey } from './api-key.ts';
export { type AuthenticateDeps, authenticate } from './authenticate.ts';
export { EndedKeyCache, type EndedKeyStore, type OnKeysRevoked } from './ended-keys.ts';
export type { ExchangeKeyDeps, KeyLookup } from './exchange-key.ts';
export { dayOf, KeyUsageCounter, type KeyUsageStore } from './key-usage.ts';
export { type ApiKeys, createKey, type KeyChanges, revokeInChange } from './manage-keys.ts';
export {
  provideSigningKeys,
  removeEndedSigningKeys,
  replaceSigningKeys,
  rotateSigningKeyIfDue,
} from './manage-signing-keys.ts';
export type { SigningKeyChanges, SigningKeyStore, StoredSigningKey } from './signing-key.ts';
export { type PublicSigningKey, SigningKeyRing } from './signing-keys.ts';
export { TokenCache } from './token-cache.ts';
