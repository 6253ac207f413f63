import { expect, test } from 'vitest';
import { actorText } from './labels.ts';

test.each([
  ['ann@firm.example', null, 'ann@firm.example'],
  ['operator', undefined, 'Command line'],
  ['key_2kg519', 'Billing, nightly', 'API key “Billing, nightly”'],
  ['key_2kg519', null, 'API key key_2kg519'],
  ['key_1@firm.example', null, 'key_1@firm.example'],
])('%s, named %s, is shown as %s', (actor, keyName, text) => {
  expect(actorText(actor, keyName)).toBe(text);
});
