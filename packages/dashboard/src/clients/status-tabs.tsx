import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { RequestStatus } from '#contract/clients/index.ts';
import { useEnvironment } from '../environment.ts';
import { optionsOf, REQUEST_STATUS_LABELS } from '../labels.ts';
import { clientCountsQuery } from './queries.ts';
import { type ClientsSearch, statusesOf } from './search.ts';
import { STATUS_COLOURS } from './status-appearance.ts';

const TABS = [{ value: undefined, label: 'All' }, ...optionsOf(REQUEST_STATUS_LABELS)];

/** The request statuses, each with the number of its clients that the other filters match. A search has no such numbers. */
export function StatusTabs({ search }: { search: ClientsSearch }) {
  const environment = useEnvironment();
  const { data } = useQuery(clientCountsQuery(environment, search));
  const isSearch = search.search !== undefined;
  const counts = isSearch ? undefined : data;
  const statuses = statusesOf(search);
  // Several statuses can be chosen above; each of their tabs is marked then.
  const isCurrent = (status: RequestStatus | undefined) =>
    status === undefined ? statuses.length === 0 : statuses.includes(status);
  return (
    <nav aria-label="Request status" className="status-tabs">
      {TABS.map(({ value: status, label }) => (
        <Link
          key={label}
          to="/$environment/clients"
          params={{ environment }}
          search={{ ...search, status, page: undefined }}
          // Otherwise “All” would be current, too, because its filters are a part of those of every tab.
          activeOptions={{ exact: true }}
          aria-current={isCurrent(status) ? (statuses.length > 1 ? 'true' : 'page') : undefined}
        >
          {status && <i style={{ background: STATUS_COLOURS[status] }} />}
          {label}
          {counts && <span>{(status ? counts.by_status[status] : counts.total_count).toLocaleString()}</span>}
        </Link>
      ))}
      {isSearch && (
        <Text size="xs" c="dimmed" component="p" className="tabs-note">
          A search shows the newest first and does not count statuses.
        </Text>
      )}
    </nav>
  );
}
