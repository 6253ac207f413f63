export { generateAccessTokenRoute } from './generate-access-token.ts';
