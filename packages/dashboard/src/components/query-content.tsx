import { Button, Skeleton, Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { mayTryAgain } from '../api.ts';
import { Notice } from './notice.tsx';

interface QueryContentProps<Data> {
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'isFetching'> & { refetch(): unknown };
  /** How many lines the skeleton has; it should be about as high as the content. */
  lines?: number;
  children(data: Data): ReactNode;
}

/** Shows the result of a query, a skeleton while it loads, and the error when it failed, with a button where trying again may help. */
export function QueryContent<Data>({ query, lines = 6, children }: QueryContentProps<Data>) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.error) {
    return (
      <Notice tone="error" title="This could not be loaded">
        <Stack align="flex-start" gap="sm">
          {query.error.message}
          {mayTryAgain(query.error) && (
            <Button size="xs" variant="default" onClick={() => query.refetch()} loading={query.isFetching}>
              Try again
            </Button>
          )}
        </Stack>
      </Notice>
    );
  }
  return (
    <Stack gap="sm" className="surface" p="md" aria-busy="true">
      {Array.from({ length: lines }, (_, line) => (
        <Skeleton key={line} height={22} />
      ))}
    </Stack>
  );
}
