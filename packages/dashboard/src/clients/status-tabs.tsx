import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEnvironment } from '../environment.ts';
import { optionsOf, REQUEST_STATUS_LABELS } from '../labels.ts';
import { clientCountsQuery } from './queries.ts';
import type { ClientsSearch } from './search.ts';
import { STATUS_COLOURS } from './status-appearance.ts';

const TABS = [{ value: undefined, label: 'All' }, ...optionsOf(REQUEST_STATUS_LABELS)];

/** The request statuses, each with the number of its clients that the other filters match. A search has no such numbers. */
export function StatusTabs({ search }: { search: ClientsSearch }) {
  const environment = useEnvironment();
  const { data } = useQuery(clientCountsQuery(environment, search));
  const counts = search.search === undefined ? data : undefined;
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
          aria-current={search.status === status ? 'page' : undefined}
        >
          {status && <i style={{ background: STATUS_COLOURS[status] }} />}
          {label}
          {counts && <span>{(status ? counts.by_status[status] : counts.total_count).toLocaleString()}</span>}
        </Link>
      ))}
    </nav>
  );
}
