import { expect, test } from 'vitest';
import { statusChangeText } from './status-change-text.ts';

test('changes of a status are told as people say them, before an import and after it', () => {
  const one = { field: 'request_status' as const, from: 'declined', to: 'pending', rows: 1, lines: [3] };
  const many = { field: 'client_status', from: 'inactive', to: 'active', rows: 1200 } as const;
  expect(statusChangeText(one, true)).toBe('1 client would go from Declined to Pending: line 3.');
  expect(statusChangeText(many, false), 'of a service that does not tell lines').toBe(
    '1,200 clients went from Inactive to Active.',
  );
});
