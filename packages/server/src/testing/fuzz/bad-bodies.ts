/** Values that programs tend to send by mistake and attackers on purpose. */
export const ODD_VALUES: unknown[] = [
  null,
  true,
  -1,
  1e300,
  0.5,
  '',
  ' ',
  '\0',
  '\ud800',
  '\u202e\u200b',
  'x'.repeat(10_000),
  [],
  [null],
  {},
  { toString: 1 },
];

export const VALID_CLIENT = {
  email: 'new@mail.example',
  client_name: 'New',
  client_type: 'company',
  group_name: 'Partners',
};

export interface BadBody {
  what: string;
  sent: string | Uint8Array | object;
  /** The status that is right for it. */
  status: number;
  headers?: Record<string, string>;
}

const encode = (text: string) => new TextEncoder().encode(text);

/** What is wrong whatever the fields are called. */
export const BAD_BODIES: BadBody[] = [
  { what: 'no JSON', sent: '{"email"', status: 400 },
  { what: 'nothing', sent: '', status: 400 },
  {
    what: 'broken UTF-8',
    sent: Uint8Array.from([...encode('{"email":"'), 0xc3, 0x28, ...encode('@mail.example"}')]),
    status: 400,
  },
  { what: 'an unknown field', sent: { ...VALID_CLIENT, colour: 'red' }, status: 400 },
  { what: '__proto__', sent: '{"__proto__":{"email":"a@mail.example"}}', status: 400 },
  { what: 'constructor', sent: '{"constructor":{"prototype":{"email":"a@mail.example"}}}', status: 400 },
  { what: 'deep nesting', sent: `${'['.repeat(100_000)}${']'.repeat(100_000)}`, status: 400 },
  { what: 'deep objects', sent: `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`, status: 400 },
  { what: '10 MB', sent: JSON.stringify({ client_name: 'x'.repeat(10_000_000) }), status: 413 },
  { what: 'plain text', sent: JSON.stringify(VALID_CLIENT), status: 415, headers: { 'content-type': 'text/plain' } },
  {
    what: 'a form',
    sent: 'email=a',
    status: 415,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  },
  {
    what: 'a content coding',
    sent: JSON.stringify(VALID_CLIENT),
    status: 415,
    headers: { 'content-encoding': 'br' },
  },
];
