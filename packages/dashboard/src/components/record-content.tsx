import { Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { Fragment, type ReactNode } from 'react';
import { ApiError, NOT_FOUND } from '../api.ts';
import { PageHeader } from './page-header.tsx';
import { QueryContent } from './query-content.tsx';

interface RecordContentProps<Data> {
  /** Which record it is. */
  id: string;
  query: UseQueryResult<Data>;
  /** The title of the page when there is no such record. */
  notFoundTitle: string;
  children(data: Data): ReactNode;
}

/**
 * The content of a page about one record, which may not exist. The page stays when the next record is opened, but nothing that
 * was typed or opened for one record may be sent to another one.
 */
export function RecordContent<Data>({ id, query, notFoundTitle, children }: RecordContentProps<Data>) {
  if (!isNotFound(query)) {
    return (
      <QueryContent query={query} lines={8}>
        {(data) => <Fragment key={id}>{children(data)}</Fragment>}
      </QueryContent>
    );
  }
  return (
    <>
      <PageHeader title={notFoundTitle} />
      <Text size="sm">{query.error?.message} It may have been removed, or it belongs to the other environment.</Text>
    </>
  );
}

/** A record that was loaded before stays on the page, because it may have been removed from this page. */
function isNotFound({ data, error }: UseQueryResult<unknown>): boolean {
  return data === undefined && error instanceof ApiError && error.status === NOT_FOUND;
}
