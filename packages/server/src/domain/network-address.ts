import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';
import { Failure } from './failure.ts';

/** An IPv4 address as a socket that listens on IPv6 reports it. */
const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** An IP address in one spelling for each address, or `undefined` if the text is not an IP address. */
export function normaliseAddress(text: string): string | undefined {
  const withoutZone = text.replace(/%.*$/, '');
  const mapped = MAPPED_IPV4.exec(withoutZone)?.[1];
  if (mapped !== undefined) return isIPv4(mapped) ? mapped : undefined;
  if (isIPv4(withoutZone)) return withoutZone;
  if (!isIPv6(withoutZone)) return undefined;
  // The URL parser writes an IPv6 address in its shortest form, with lower-case letters.
  const short = new URL(`http://[${withoutZone}]`).hostname.slice(1, -1);
  return ipv4Within(short) ?? short;
}

/**
 * The address that a text is, in the one spelling, and `undefined` for any other text. One that ends with `::` may be only the
 * beginning of the addresses that somebody means.
 */
export function wholeAddress(text: string): string | undefined {
  const trimmed = text.trim();
  return trimmed.endsWith('::') ? undefined : normaliseAddress(trimmed);
}

/**
 * What callers are counted by: an IPv4 address itself, and the first 64 bits of an IPv6 address, because a single
 * subscriber can use all addresses that share them.
 */
export function callerNetwork(address: string): string {
  if (!isIPv6(address)) return address;
  return `${groupsOf(address).slice(0, 4).join(':')}::/64`;
}

/** A list of addresses and networks, such as `10.0.0.0/8` or `2001:db8::1`. */
export class NetworkList {
  /** One for each family, because a `BlockList` also compares IPv4 addresses with IPv6 networks, as `::ffff:…`. */
  readonly #ranges = { ipv4: new BlockList(), ipv6: new BlockList() };
  /** In the order in which they were given, each in one spelling. */
  readonly networks: readonly string[];

  private constructor(networks: readonly string[]) {
    this.networks = networks;
    for (const network of networks) {
      const [address = '', bits] = network.split('/');
      const family = familyOf(address);
      this.#ranges[family].addSubnet(address, Number(bits ?? (family === 'ipv4' ? 32 : 128)), family);
    }
  }

  /** Takes networks separated by commas. Fails with a message that names the one that cannot be read. */
  static parse(text: string): NetworkList {
    const items = text.split(',').map((item) => item.trim());
    return NetworkList.from(items.filter((item) => item !== ''));
  }

  /** Every item must be a network: an item that was left empty by mistake must not make the list shorter. */
  static from(items: readonly string[]): NetworkList {
    return new NetworkList(items.map((item) => normaliseNetwork(item.trim())));
  }

  get isEmpty(): boolean {
    return this.networks.length === 0;
  }

  /** Takes a normalised address. */
  has(address: string): boolean {
    const family = familyOf(address);
    return isIP(address) !== 0 && this.#ranges[family].check(address, family);
  }
}

function normaliseNetwork(text: string): string {
  const [address = '', bits, ...more] = text.split('/');
  const normal = normaliseAddress(address);
  const most = normal !== undefined && isIPv4(normal) ? 32 : 128;
  const isWhole = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most);
  // The bits of a mapped IPv4 address could be meant for either family.
  const isAmbiguous = bits !== undefined && most === 32 && address.includes(':');
  if (normal === undefined || address.includes('%') || !isWhole || isAmbiguous || more.length > 0) {
    throw new Failure('bad_parameter', `"${text}" is not an IP address or a network such as 10.0.0.0/8.`);
  }
  return bits === undefined ? normal : `${normal}/${Number(bits)}`;
}

/** The IPv4 address within an IPv6 address that was not written with dots, such as `::ffff:a00:1`. */
function ipv4Within(short: string): string | undefined {
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(short) ?? [];
  if (high === undefined || low === undefined) return undefined;
  const [h, l] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [h >> 8, h & 255, l >> 8, l & 255].join('.');
}

/** The eight groups of an IPv6 address, without leading zeros. */
function groupsOf(address: string): string[] {
  const [front = '', back] = address.split('::');
  const first = front === '' ? [] : front.split(':');
  if (back === undefined) return first;
  const last = back === '' ? [] : back.split(':');
  return [...first, ...Array<string>(8 - first.length - last.length).fill('0'), ...last];
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv4(address) ? 'ipv4' : 'ipv6';
}

/** Whether only programs on this machine can reach the host, or be reached there. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
}
