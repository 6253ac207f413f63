import { expect, test } from 'vitest';
import { withFieldLabel } from './field-label.ts';

test.each([
  ['code is not correct; enter the current code.', 'Code is not correct; enter the current code.'],
  ['new_password is too common.', 'New password is too common.'],
  ['client_name must not be empty.', 'Name must not be empty.'],
  ['allowed_networks: "ten" is not an IP address.', 'Allowed networks: "ten" is not an IP address.'],
  ['ada@mail.example is already a member.', 'ada@mail.example is already a member.'],
  ['client_name, client_type must not be empty', 'Name and client type must not be empty'],
  ['There is no such member.', 'There is no such member.'],
])('the message %j is shown as %j', (message, shown) => {
  expect(withFieldLabel(message, { client_name: 'Name' })).toBe(shown);
});
