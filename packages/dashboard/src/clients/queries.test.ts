import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { clientsQuery, rejectsQuery } from './queries.ts';

test('while a list loads, the one before stays, unless it belongs to the other environment', () => {
  const page = { results: [], page_number: 1, page_limit: 25, total_count: 7, total_pages: 1, total_is_exact: true };
  const queries = new QueryClient();
  const first = clientsQuery('sandbox', {});
  queries.setQueryData(first.queryKey, page);
  const observer = new QueryObserver(queries, { ...first, enabled: false });
  const shown = (options: typeof first) => {
    observer.setOptions({ ...options, enabled: false });
    return observer.getCurrentResult().data?.total_count;
  };
  expect(shown(clientsQuery('sandbox', { page: 2 }))).toBe(7);
  expect(shown(clientsQuery('production', {}))).toBeUndefined();
});

test('while rejected rows load, those of another page stay, but not those of another import', () => {
  const queries = new QueryClient();
  const first = rejectsQuery('sandbox', 'imp_1', 1);
  queries.setQueryData(first.queryKey, { results: [], total_count: 7 });
  const observer = new QueryObserver(queries, { ...first, enabled: false });
  const shown = (options: typeof first) => {
    observer.setOptions({ ...options, enabled: false });
    return observer.getCurrentResult().data?.total_count;
  };
  expect(shown(rejectsQuery('sandbox', 'imp_1', 2))).toBe(7);
  expect(shown(rejectsQuery('sandbox', 'imp_2', 1))).toBeUndefined();
});
