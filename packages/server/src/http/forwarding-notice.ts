import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import { type NetworkList, normaliseAddress } from '../domain/network-address.ts';
import { hasHeader } from './header-list.ts';

/**
 * Tells the operator, once, that a request names a caller but does not come from a trusted proxy. Without this, a proxy that is
 * missing in the setting shows only in refusals that nobody can explain. Addresses are personal data and are not logged.
 */
export class ForwardingNotice {
  readonly #logger: Logger;
  #isGiven = false;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  check({ rawHeaders, socket }: IncomingMessage, trustedProxies: NetworkList): void {
    if (this.#isGiven || !(hasHeader(rawHeaders, 'x-forwarded-for') || hasHeader(rawHeaders, 'forwarded'))) return;
    const connectedFrom = normaliseAddress(socket.remoteAddress ?? '');
    if (connectedFrom === undefined || trustedProxies.has(connectedFrom)) return;
    this.#isGiven = true;
    this.#logger.warn(
      'a request with X-Forwarded-For or Forwarded came from an address that is not in ROLLCALL_TRUSTED_PROXIES, so the header was ignored; if your proxy sent it, add the address of the proxy',
    );
  }
}
