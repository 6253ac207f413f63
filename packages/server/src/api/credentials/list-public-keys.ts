import { Type } from 'typebox';
import type { SigningKeys } from '../../domain/credentials/access-token.ts';
import type { PublicSigningKey } from '../../domain/credentials/signing-keys.ts';
import { type ApiRoute, defineApiRoute } from '../define-route.ts';

const MEDIA_TYPE = 'application/jwk-set+json';

/** Much shorter than the time for which a key is published before it signs, which is usually weeks. */
const CACHE_SECONDS = 300;

const PublicKeySet = Type.Object(
  {
    keys: Type.Array(
      Type.Object(
        {
          kty: Type.Literal('OKP'),
          crv: Type.Literal('Ed25519'),
          x: Type.String({
            description: 'The public key.',
            examples: ['11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'],
          }),
          kid: Type.String({
            description: 'The id of the key, which the header of an access token names.',
            examples: ['k3yAbCdEf'],
          }),
          use: Type.Literal('sig'),
          alg: Type.Literal('Ed25519'),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);

export interface PublicKeysDeps {
  signingKeys: SigningKeys & { published(): PublicSigningKey[] };
}

export const listPublicKeysRoute = (deps: PublicKeysDeps): ApiRoute =>
  defineApiRoute({
    methods: ['GET'],
    path: '/.well-known/jwks.json',
    operationId: 'listPublicKeys',
    summary: 'List public keys',
    description:
      'The public keys with which other services can verify access tokens, as a JWK Set (RFC 7517) and not in the envelope: the next key, the current key, and earlier keys whose tokens may still be valid. Both environments have the same keys; the `aud` of a token names its environment.',
    access: 'anyone',
    data: PublicKeySet,
    mediaType: MEDIA_TYPE,
    headers: { 'Cache-Control': `\`public, max-age=${CACHE_SECONDS}\`` },
    others: {},
    handle: async ({ extraHeaders }) => {
      const body = JSON.stringify({ keys: deps.signingKeys.published() });
      extraHeaders.push('Cache-Control', `public, max-age=${CACHE_SECONDS}`);
      const headers = ['Content-Type', MEDIA_TYPE, 'Content-Length', String(body.length)];
      return { status: 200, headers, body, encoding: 'latin1' };
    },
  });
