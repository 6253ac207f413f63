import { Button, Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiError, NOT_FOUND } from '../api.ts';
import { Notice } from '../components/notice.tsx';
import { QueryContent } from '../components/query-content.tsx';

/** Shows what a one-time link leads to. Trying a link again that was used is of no use; whoever used it can sign in. */
export function LinkContent<Data>({
  query,
  children,
}: {
  query: UseQueryResult<Data>;
  children(data: Data): ReactNode;
}) {
  if (query.error instanceof ApiError && query.error.status === NOT_FOUND) {
    return (
      <Stack>
        <Notice tone="error" title="This link does not work any more">
          {query.error.message}
        </Notice>
        <Button component={Link} to="/sign-in" variant="default" fullWidth>
          Go to sign-in
        </Button>
      </Stack>
    );
  }
  return (
    <QueryContent query={query} lines={3}>
      {children}
    </QueryContent>
  );
}
