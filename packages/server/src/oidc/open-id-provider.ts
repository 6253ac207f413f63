import type { Configuration } from 'openid-client';
import type { IdentityProvider } from '../domain/members/index.ts';
import { isLoopback } from '../domain/network-address.ts';

export interface OidcSettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
}

const TIMEOUT_SECONDS = 10;

/** What the browser brings back: without it, an answer could be one to the question of somebody else. */
interface Memo {
  state: string;
  nonce: string;
  verifier: string;
}

/** A sign-in service that speaks OpenID Connect. The package is loaded, and the service asked about itself, when it is first used. */
export function openIdProvider({ issuer, clientId, clientSecret }: OidcSettings): IdentityProvider {
  let known: Promise<Configuration> | undefined;
  const configuration = (): Promise<Configuration> => {
    known ??= discover();
    return known;
  };
  const discover = async () => {
    const { discovery, allowInsecureRequests, enableNonRepudiationChecks } = await import('openid-client');
    const isLocal = isLoopback(new URL(issuer).hostname);
    // Signatures are checked even though the answer comes from the service itself.
    const execute = [enableNonRepudiationChecks, ...(isLocal ? [allowInsecureRequests] : [])];
    const options = { timeout: TIMEOUT_SECONDS, execute };
    return discovery(new URL(issuer), clientId, clientSecret, undefined, options).catch((error) => {
      // The next sign-in asks again.
      known = undefined;
      throw error;
    });
  };
  return {
    name: new URL(issuer).host,

    begin: async (redirectUrl) => {
      const oidc = await import('openid-client');
      const verifier = oidc.randomPKCECodeVerifier();
      const memo: Memo = { state: oidc.randomState(), nonce: oidc.randomNonce(), verifier };
      const url = oidc.buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUrl,
        scope: 'openid email',
        state: memo.state,
        nonce: memo.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, memo: Buffer.from(JSON.stringify(memo)).toString('base64url') };
    },

    finish: async (redirectUrl, callbackQuery, memo) => {
      const expected = readMemo(memo);
      const query = new URLSearchParams(callbackQuery);
      if (!expected || query.get('state') !== expected.state || query.has('error')) return undefined;
      const oidc = await import('openid-client');
      const config = await configuration();
      const answer = new URL(`${redirectUrl}?${query}`);
      const tokens = await oidc.authorizationCodeGrant(config, answer, {
        expectedState: expected.state,
        expectedNonce: expected.nonce,
        pkceCodeVerifier: expected.verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (!claims) return undefined;
      const { email, email_verified: isVerified } =
        claims.email === undefined ? await oidc.fetchUserInfo(config, tokens.access_token, claims.sub) : claims;
      const verified = isVerified === true && typeof email === 'string' ? email : undefined;
      return { issuer: claims.iss, subject: claims.sub, email: verified };
    },
  };
}

function readMemo(text: string): Memo | undefined {
  try {
    const { state, nonce, verifier } = JSON.parse(Buffer.from(text, 'base64url').toString());
    return [state, nonce, verifier].every((each) => typeof each === 'string') ? { state, nonce, verifier } : undefined;
  } catch {
    // A browser can send anything.
    return undefined;
  }
}
