import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface TestIdentityProvider {
  issuer: string;
  /** Who signs in next. */
  person: { subject: string; email: string; isVerified: boolean };
}

export const OIDC_CLIENT = { id: 'rollcall', secret: 'a secret that only the two know' };

/** A real OpenID Connect provider on this machine. It asks nobody for a password, and names the person that the test has chosen. */
export async function startIdentityProvider(redirectUrl: () => string): Promise<TestIdentityProvider> {
  const { default: Provider } = await import('oidc-provider');
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  const test: TestIdentityProvider = {
    issuer,
    person: { subject: 'person-1', email: 'owner@firm.example', isVerified: true },
  };
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: OIDC_CLIENT.id,
        client_secret: OIDC_CLIENT.secret,
        redirect_uris: [redirectUrl()],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ['test'] },
    findAccount: (_context, subject) => ({
      accountId: subject,
      claims: async () => ({ sub: subject, email: test.person.email, email_verified: test.person.isVerified }),
    }),
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    loadExistingGrant: async (context) => {
      const grant = new context.oidc.provider.Grant({
        clientId: context.oidc.client?.clientId ?? '',
        accountId: context.oidc.session?.accountId ?? '',
      });
      grant.addOIDCScope('openid email');
      await grant.save();
      return grant;
    },
  });
  const answer = provider.callback();
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return answer(request, response);
    return provider.interactionFinished(request, response, { login: { accountId: test.person.subject } });
  });
  return test;
}
