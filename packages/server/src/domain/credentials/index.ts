export { ALGORITHM, type Principal, type SigningKeys, TOKEN_MAX_SECONDS, type VerifiedToken } from './access-token.ts';
export { type ActingKey, isActingKey, type KeyNames, namesOfActingKeys } from './acting-key.ts';
export type { Allowance } from './allowance.ts';
export type { ApiKey } from './api-key.ts';
export { type AuthenticateDeps, authenticate } from './authenticate.ts';
export { CallLeases, type LeaseObserver } from './call-leases.ts';
export type { ExchangeKeyDeps, KeyLookup } from './exchange-key.ts';
export type { ApiKeys, KeyChanges } from './key-changes.ts';
export { KeyDirectory, type KeyDirectoryStore } from './key-directory.ts';
export { factsOf, type KeyFacts, type OnKeysChanged } from './key-facts.ts';
export {
  dayOf,
  dayText,
  HIDDEN,
  type KeyListingStore,
  type ListedFilter,
  ListingCounter,
  removeOldListings,
} from './key-listings.ts';
export { KeyUsageCounter, type KeyUsageStore, removeOldUsage } from './key-usage.ts';
export type { ListingKind } from './listing-kinds.ts';
export { createKey, revokeInChange } from './manage-keys.ts';
export {
  provideSigningKeys,
  removeEndedSigningKeys,
  removeLeakedKey,
  replaceSigningKeys,
  rotateSigningKeyIfDue,
} from './manage-signing-keys.ts';
export { formatRateLimit, parseRateLimit, RATE_LIMIT_FORM, type RateLimit } from './rate-limit.ts';
export { toRefusal } from './rate-limit-refusal.ts';
export { openRateLimits, type RateLimiter, type RateLimitPolicy, type RateLimits } from './rate-limiter.ts';
export { requireScope, type Scope } from './scope.ts';
export { BucketsInMemory, type Lease, type LeaseRequest, type SharedBuckets } from './shared-buckets.ts';
export { type SigningKeyChanges, type SigningKeyStore, type StoredSigningKey, signerAt } from './signing-key.ts';
export {
  type OwnSigningKeys,
  openOwnKeys,
  ownKeysOf,
  type PublicSigningKey,
  publicForm,
  SigningKeyRing,
  signerOf,
} from './signing-keys.ts';
export { TokenCache } from './token-cache.ts';
