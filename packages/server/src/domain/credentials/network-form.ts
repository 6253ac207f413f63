// Whether a text is an address or a network, without the means of a server: the browser loads this file, too.

export const NETWORK_FORM = 'an IP address or a network such as 10.0.0.0/8';

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?=\d)|$)){4}$/;

/** An IPv4 address within an IPv6 address, as the URL parser writes it. */
const MAPPED_IPV4 = /^\[::ffff:[0-9a-f]{1,4}:[0-9a-f]{1,4}\]$/;

/** Accepts what `NetworkList.parse` accepts as one entry. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.trim().split('/');
  const most = bitsOf(address);
  if (most === undefined || more.length > 0) return false;
  if (bits === undefined) return true;
  // The bits of a mapped IPv4 address could be meant for either family.
  const isAmbiguous = most === 32 && address.includes(':');
  return !isAmbiguous && /^\d{1,3}$/.test(bits) && Number(bits) <= most;
}

/** How many bits an address has, or `undefined` if the text is not an address. */
function bitsOf(address: string): 32 | 128 | undefined {
  if (IPV4.test(address)) return 32;
  // The URL parser knows IPv6 exactly, but must not see characters that mean something else in a URL.
  const url = /^[0-9a-f:.]+$/i.test(address) ? URL.parse(`http://[${address}]`) : null;
  if (url === null) return undefined;
  return MAPPED_IPV4.test(url.hostname) ? 32 : 128;
}
