// The rules for texts, written independently of the product.

export function isName(text: string, maxLength: number): boolean {
  return text.trim().length > 0 && text.trim().length <= maxLength;
}

export function isEmail(text: string): boolean {
  const [local, domain, ...rest] = text.trim().split('@');
  const areLabels = domain?.split('.').every((label) => label !== '');
  return isName(text, 254) && rest.length === 0 && !!local && !!areLabels && !/[\s,;<>]/.test(text.trim());
}

/** An id in the system of a firm. */
export function isExternalId(text: string): boolean {
  return text.trim().length <= 255 && [...text.trim()].every((each) => each !== ',' && each >= ' ');
}

/** Empty if nobody said why. */
export function isReason(text = ''): boolean {
  return text.trim().length <= 500 && !text.includes('\0');
}

export const CLIENT_NAME_MAX = 200;
export const GROUP_NAME_MAX = 120;
export const KEY_NAME_MAX = 120;
