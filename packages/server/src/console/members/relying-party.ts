import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { Failure } from '../../domain/failure.ts';
import type { RelyingParty } from '../../domain/members/verify-passkey.ts';

/**
 * The host that passkeys belong to. Without a public address, the dashboard is used on the machine itself, where only the name
 * `localhost` is known to be ours: another name could be made to lead here by anybody.
 */
export function relyingParty({ headers }: IncomingMessage, publicUrl: string | undefined): RelyingParty {
  const origin = publicUrl ?? headers.origin ?? '';
  const { hostname = '', port = '' } = URL.parse(origin) ?? {};
  if (publicUrl === undefined && hostname !== 'localhost') {
    throw new Failure(
      'conflict',
      `Passkeys belong to a host name. Open http://localhost:${port || 80} instead, or set ROLLCALL_DASHBOARD_URL.`,
    );
  }
  if (isIP(hostname.replace(/^\[|\]$/g, ''))) {
    throw new Failure('conflict', 'Passkeys belong to a host name, and ROLLCALL_DASHBOARD_URL has none.');
  }
  return { id: hostname, origin };
}
