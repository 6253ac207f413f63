import { expect, test } from 'vitest';
import { pageLabel } from './way-back.ts';

test.each([
  ['/production/settings/activity?search=1-0001&page=2', 'Activity'],
  ['/sandbox/review?assigned=me', 'Review'],
  ['/sandbox/clients', 'Clients'],
  ['/sandbox/clients/1-0001?queue=me', 'Back'],
  ['/sandbox/import/7?page=2', 'Import'],
])('the way back to %s is called %s', (href, label) => {
  expect(pageLabel(href)).toBe(label);
});
