export { type GenerateAccessTokenDeps, generateAccessTokenRoute } from './generate-access-token.ts';
export { listPublicKeysRoute, type PublicKeysDeps } from './list-public-keys.ts';
