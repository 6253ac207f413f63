import { Type } from 'typebox';
import {
  type AccessToken,
  type ExchangeKeyDeps,
  exchangeKey,
  wrongHeader,
} from '../../domain/credentials/exchange-key.ts';
import type { RateLimits } from '../../domain/credentials/rate-limiter.ts';
import type { Environment } from '../../domain/environment.ts';
import { isFailure } from '../../domain/failure.ts';
import { callerNetwork } from '../../domain/network-address.ts';
import { type ApiContext, type ApiRoute, defineApiRoute } from '../define-route.ts';
import { requireAllowance, requireQuietly } from '../rate-limits.ts';

const AccessTokenData = Type.Object(
  {
    access_token: Type.String({
      description: 'Send it as `Authorization: Bearer <access_token>`. Opaque.',
      examples: ['eyJhbGciOiJFZERTQSJ9.eyJleHAiOjE3Njk4NTQyMDB9.c2lnbmF0dXJl'],
    }),
    expires_in: Type.Integer({ description: 'Seconds from now until the token expires.', examples: [3600] }),
  },
  { title: 'AccessToken', additionalProperties: false },
);

export interface GenerateAccessTokenDeps extends ExchangeKeyDeps {
  environment: Environment;
  rateLimits: RateLimits;
}

export const generateAccessTokenRoute = (deps: GenerateAccessTokenDeps): ApiRoute =>
  defineApiRoute({
    methods: ['GET', 'POST'],
    path: '/api/v1/generate-access-token/',
    operationId: 'generateAccessToken',
    summary: 'Generate access token',
    description:
      'Exchanges an API key for a short-lived access token. To refresh, exchange the key again; earlier tokens stay valid until they expire. A token may do what the scopes of its key allow, and ends with the secret that it was made from.',
    access: 'api-key',
    data: AccessTokenData,
    others: {
      401: 'The API key is missing, sent twice or invalid. The message gives the reason if the key exists.',
      429: 'The key is exchanged too often, or too many exchanges from this network address have failed; try again after `Retry-After` seconds.',
      503: 'The service lacks storage or capacity; try again after `Retry-After` seconds.',
    },
    handle: async (context, succeed) => {
      const { accessToken, expiresInSeconds } = await exchange(deps, context);
      return succeed({ access_token: accessToken, expires_in: expiresInSeconds });
    },
  });

/**
 * Exchanges of a right key count for the key, and failed ones for the network address. The key is looked up first, so that a
 * right key is answered, however many wrong ones others have sent from the same address.
 */
async function exchange(deps: GenerateAccessTokenDeps, context: ApiContext): Promise<AccessToken> {
  const sent = context.header('api-key');
  const caller = { environment: deps.environment, address: context.address };
  try {
    const problem = sent.length === 0 && wrongHeader((name) => context.header(name));
    if (problem) throw problem;
    return await exchangeKey(deps, caller, sent.length === 1 ? sent[0] : undefined, (key) => {
      context.principal = { keyId: key.id, workspaceId: key.workspaceId };
      return requireAllowance(context, deps.rateLimits.token, key.id);
    });
  } catch (error) {
    if (isFailure(error, 'invalid_api_key')) {
      await requireQuietly(context, deps.rateLimits.failed, callerNetwork(context.address));
    }
    throw error;
  }
}
