import { type NetworkList, normaliseAddress } from '../domain/network-address.ts';
import { type HeaderList, valuesOf } from './header-list.ts';

/** Real chains have a few proxies. The rest of a longer header was written by the caller. */
const ENTRIES_MAX = 32;

/** An IPv4 address with a port, or an IPv6 address in brackets, with or without a port. */
const WITH_PORT = /^(?:(\d+\.\d+\.\d+\.\d+):\d{1,5}|\[([^\]]*)\](?::\d{1,5})?)$/;

/**
 * The IP address of the caller. Only a trusted proxy may say for whom it forwards a request: then it is the rightmost address
 * in the chain that is not a trusted proxy itself, because everything to the left of it may be forged. An entry that is not
 * an address ends the chain. Takes the address of the connection, which is empty when the connection has already been closed.
 */
export function callerAddress(connectedFrom: string, headers: HeaderList, trustedProxies: NetworkList): string {
  let caller = normaliseAddress(connectedFrom) ?? '';
  if (trustedProxies.isEmpty || !trustedProxies.has(caller)) return caller;
  for (const entry of forwardedFor(headers)) {
    const address = entry === undefined ? undefined : toAddress(entry);
    if (address === undefined) return caller;
    caller = address;
    if (!trustedProxies.has(caller)) return caller;
  }
  return caller;
}

/**
 * The chain from right to left. `Forwarded` counts only without `X-Forwarded-For`: a proxy passes on the one that it does not
 * know as the caller has sent it, so reading both would let callers choose their address.
 */
function forwardedFor(headers: HeaderList): (string | undefined)[] {
  const usual = valuesOf(headers, 'x-forwarded-for');
  if (usual.length > 0) return splitFromRight(usual.join(','), ',');
  return splitFromRight(valuesOf(headers, 'forwarded').join(','), ',').map(forParameter);
}

/** The value of `for` in an element of `Forwarded` (RFC 7239), such as `for="[2001:db8::1]:4711";proto=https`. */
function forParameter(element: string): string | undefined {
  const values = splitFromRight(element, ';')
    .filter((pair) => /^for=/i.test(pair))
    .map((pair) => pair.slice('for='.length).replace(/^"(.*)"$/, '$1'));
  return values.length === 1 ? values[0] : undefined;
}

function toAddress(entry: string): string | undefined {
  const [, ipv4, ipv6] = WITH_PORT.exec(entry) ?? [];
  return normaliseAddress(ipv4 ?? ipv6 ?? entry);
}

/**
 * The last parts of a list, from right to left. Separators within quotes do not count. It reads from the right, so that a
 * quote which the caller has opened and not closed cannot swallow what the proxies have added after it.
 */
function splitFromRight(text: string, separator: ',' | ';'): string[] {
  const parts: string[] = [];
  let end = text.length;
  let isQuoted = false;
  for (let index = end - 1; index >= 0 && parts.length < ENTRIES_MAX; index--) {
    if (text[index] === '"' && !isEscaped(text, index)) isQuoted = !isQuoted;
    if (text[index] !== separator || isQuoted) continue;
    parts.push(text.slice(index + 1, end).trim());
    end = index;
  }
  if (parts.length < ENTRIES_MAX) parts.push(text.slice(0, end).trim());
  return parts;
}

/** Whether an odd number of backslashes precedes the character. */
function isEscaped(text: string, index: number): boolean {
  let first = index;
  while (first > 0 && text[first - 1] === '\\') first--;
  return (index - first) % 2 === 1;
}
