export { type GenerateAccessTokenDeps, generateAccessTokenRoute } from './generate-access-token.ts';
