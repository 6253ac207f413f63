import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { Failure } from '../../domain/failure.ts';
import type { RelyingParty } from '../../domain/members/verify-passkey.ts';

/**
 * The host that passkeys belong to. Without a public address, the dashboard is used on the machine itself, where only the name
 * `localhost` and our own port are known to be ours: another name could be made to lead here by anybody, and a page on another
 * port is that of another program.
 */
export function relyingParty({ headers, socket }: IncomingMessage, publicUrl: string | undefined): RelyingParty {
  const origin = publicUrl ?? `http://localhost:${socket.localPort}`;
  if (headers.origin !== origin) {
    throw new Failure(
      'conflict',
      `Passkeys belong to a host name. Open ${origin} instead, or set ROLLCALL_DASHBOARD_URL to the address that you use.`,
    );
  }
  const { hostname = '' } = URL.parse(origin) ?? {};
  if (isIP(hostname.replace(/^\[|\]$/g, ''))) {
    throw new Failure('conflict', 'Passkeys belong to a host name, and ROLLCALL_DASHBOARD_URL has none.');
  }
  return { id: hostname, origin };
}
