/**
 * A 32-bit FNV-1a hash. It detects mistakes and gives no security. Every page needs three of them, and with a call into
 * native code for each they took twice as long.
 */
export function checksum(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(36);
}
