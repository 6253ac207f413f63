export { LONGEST_TOKEN_SECONDS, type Principal } from './access-token.ts';
export type { ApiKey } from './api-key.ts';
export { type AuthenticateDeps, authenticate } from './authenticate.ts';
export { EndedKeysMirror, type KeyEnds, type KeysEnded } from './ended-keys.ts';
export type { ExchangeKeyDeps, KeyLookup } from './exchange-key.ts';
export { dayOf, KeyUsageCounter, type KeyUsageStore } from './key-usage.ts';
export { type ApiKeys, createKey, type KeyChanges, labelOf } from './manage-keys.ts';
export { KeyRing, type SigningKeyChanges, type SigningKeyStore } from './signing-keys.ts';
export { TokenMemory } from './token-memory.ts';
