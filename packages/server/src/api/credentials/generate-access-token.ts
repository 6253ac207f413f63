import { Type } from 'typebox';
import { type ExchangeKeyDeps, exchangeKey, wrongHeader } from '../../domain/credentials/exchange-key.ts';
import type { Environment } from '../../domain/environment.ts';
import { type ApiRoute, defineApiRoute } from '../define-route.ts';

const AccessToken = Type.Object(
  {
    access_token: Type.String({ description: 'Send it as `Authorization: Bearer <access_token>`. Opaque.' }),
    expires_in: Type.Integer({ description: 'Seconds from now until the token expires.' }),
  },
  { additionalProperties: false },
);

export const generateAccessTokenRoute = (deps: ExchangeKeyDeps & { environment: Environment }): ApiRoute =>
  defineApiRoute({
    methods: ['GET', 'POST'],
    path: '/api/v1/generate-access-token/',
    operationId: 'generateAccessToken',
    summary: 'Generate access token',
    description:
      'Exchanges an API key for a short-lived access token. To refresh, exchange the key again; earlier tokens stay valid until they expire. A token may do what the scopes of its key allow, and ends with the secret that it was made from.',
    access: 'api-key',
    data: AccessToken,
    others: {
      401: 'The API key is missing, sent twice or invalid. The message gives the reason if the key exists.',
      503: 'The service lacks storage or capacity; try again after `Retry-After` seconds.',
    },
    handle: async (context, succeed) => {
      const sent = context.header('api-key');
      const problem = sent.length === 0 && wrongHeader((name) => context.header(name));
      if (problem) throw problem;
      const caller = { environment: deps.environment, address: context.address };
      const { accessToken, expiresInSeconds, issuedFor } = await exchangeKey(
        deps,
        caller,
        sent.length === 1 ? sent[0] : undefined,
      );
      context.principal = { keyId: issuedFor.id, workspaceId: issuedFor.workspaceId };
      return succeed({ access_token: accessToken, expires_in: expiresInSeconds });
    },
  });
