import { expect, test } from 'vitest';
import { reasonDraft } from './reason-drafts.ts';

test('a reason that was typed belongs to one client of one environment, and to what it was typed for', () => {
  reasonDraft('sandbox', '1-0001', 'declined').keep('No passport');
  expect(reasonDraft('sandbox', '1-0001', 'declined').text()).toBe('No passport');
  expect(reasonDraft('sandbox', '1-0001', 'completed').text()).toBe('');
  expect(reasonDraft('sandbox', '1-0001', 'page').text()).toBe('');
  expect(reasonDraft('sandbox', '1-0002', 'declined').text()).toBe('');
  expect(reasonDraft('production', '1-0001', 'declined').text()).toBe('');
});

test('a reason that was sent or taken back is forgotten', () => {
  const draft = reasonDraft('sandbox', '1-0003', 'page');
  draft.keep('Called twice');
  draft.keep('');
  expect(draft.text()).toBe('');
});

test('only the reasons that were typed last are kept', () => {
  for (let number = 0; number < 600; number++) reasonDraft('production', `2-${number}`, 'page').keep('Later');
  expect(reasonDraft('production', '2-0', 'page').text()).toBe('');
  expect(reasonDraft('production', '2-599', 'page').text()).toBe('Later');
});
