import type { Role } from './member.ts';

/** A mail in words. */
export interface MailText {
  subject: string;
  /** Paragraphs. A link stands between the first one and the others. */
  paragraphs: readonly string[];
  link?: { label: string; url: string };
}

export function invitationText(
  url: string,
  { accountName, role, invitedBy, days }: { accountName: string; role: Role; invitedBy: string; days: number },
): MailText {
  const article = role === 'viewer' ? 'a' : 'an';
  return {
    subject: `You are invited to ${accountName} on Rollcall`,
    paragraphs: [
      `${invitedBy} has invited you to ${accountName} as ${article} ${role}.`,
      `The link works once, for ${days} days. If you did not expect this invitation, you can ignore it.`,
    ],
    link: { label: 'Accept the invitation', url },
  };
}

export function newPasswordText(
  url: string,
  { accountName, address, hasSecondFactor }: { accountName: string; address: string; hasSecondFactor: boolean },
): MailText {
  const code = hasSecondFactor ? ' You will still need your second factor or a recovery code.' : '';
  return {
    subject: 'Set a new password for Rollcall',
    paragraphs: [
      `Somebody at the address ${address} has asked to set a new password for your account at ${accountName}.`,
      `The link works once, for one hour, and signs out all your browsers.${code}`,
      'If it was not you, ignore this mail: your password stays as it is.',
    ],
    link: { label: 'Set a new password', url },
  };
}

export function newDeviceText(
  url: string,
  { accountName, address, agent }: { accountName: string; address: string; agent: string },
): MailText {
  return {
    subject: 'New sign-in to Rollcall',
    paragraphs: [
      `A browser that you have not used before has signed in to ${accountName} with your email.`,
      `Address: ${address}. Browser: ${agent || 'unknown'}.`,
      'If it was not you, sign in, end that session under Profile, and change your password.',
    ],
    link: { label: 'Open your profile', url },
  };
}

const CHANGES = {
  'password-changed': 'Your password was changed',
  'second-factor-added': 'A second factor was added',
  'second-factor-removed': 'Your second factor was removed',
  'passkey-added': 'A passkey was added',
  'passkey-removed': 'A passkey was removed',
  'identity-linked': 'A sign-in service was used for the first time',
} as const;

export function changedText(
  url: string,
  kind: keyof typeof CHANGES,
  { accountName, address, name }: { accountName: string; address: string; name?: string },
): MailText {
  return {
    subject: `${CHANGES[kind]} on Rollcall`,
    paragraphs: [
      `${CHANGES[kind]} at ${accountName}, from the address ${address}${name ? `: ${name}` : ''}.`,
      'If it was not you, tell an owner of your account or the person who runs this installation at once.',
    ],
    link: { label: 'Open your profile', url },
  };
}

/** The mail for programs that show text only. */
export function plainText({ paragraphs: [first = '', ...others], link }: MailText): string {
  const parts = [first, ...(link ? [`${link.label}:\n${link.url}`] : []), ...others];
  return `${parts.join('\n\n')}\n`;
}

/** Contains nothing from elsewhere, so that opening it tells nobody anything. */
export function htmlText({ subject, paragraphs: [first = '', ...others], link }: MailText): string {
  const button = link && `<p><a href="${escaped(link.url)}">${escaped(link.label)}</a></p>`;
  const parts = [paragraph(first), ...(button ? [button] : []), ...others.map(paragraph)];
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escaped(subject)}</title></head>
<body style="font-family: sans-serif; font-size: 16px; line-height: 1.5; max-width: 36em; margin: 2em auto; padding: 0 1em">
${parts.join('\n')}
</body>
</html>
`;
}

function paragraph(text: string): string {
  return `<p>${escaped(text)}</p>`;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
