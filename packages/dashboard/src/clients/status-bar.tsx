import { Link } from '@tanstack/react-router';
import type { StatusCounts } from '#contract/clients/groups.ts';
import { useEnvironment } from '../environment.ts';
import { capitalised, STATUS_COLOUR, STATUSES } from './statuses.ts';

/**
 * How a group's clients divide by status; each part leads to the clients that it counts. There are hundreds of parts on a
 * page, so what one means is said by the browser's own tooltip, which costs nothing until it is shown.
 */
export function StatusBar({ counts, group }: { counts: StatusCounts; group: string }) {
  const environment = useEnvironment();
  return (
    <div className="status-bar">
      {STATUSES.filter((status) => counts[status] > 0).map((status) => (
        <Link
          key={status}
          to="/$environment/clients"
          params={{ environment }}
          search={{ group, status }}
          title={`${capitalised(status)}: ${counts[status].toLocaleString()}`}
          aria-label={`${counts[status]} ${status} in ${group}`}
          style={{ flexGrow: counts[status], background: STATUS_COLOUR[status] }}
        />
      ))}
    </div>
  );
}
