/** Whether an address with this host leads every machine to itself, so that a link with it is of no use to others. */
export function isThisMachine(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(\.\d+){3}$/.test(host);
}
