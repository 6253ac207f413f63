/** Of the machine on which Rollcall runs, also as IPv6 shows an address of IPv4. */
const LOOPBACK = /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/;

/** From where somebody did something, in words. */
export function addressText(address: string): string {
  return LOOPBACK.test(address) ? 'this machine' : address;
}
