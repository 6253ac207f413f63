import { Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { StatusCounts } from '#contract/clients/groups.ts';
import { useEnvironment } from '../environment.ts';
import { optionsOf, REQUEST_STATUS_LABELS } from '../labels.ts';
import { STATUS_COLOURS } from './status-appearance.ts';
import { StatusLabel } from './status-label.tsx';

/**
 * A bar that shows how many clients of a group have each status; each part links to the clients that it counts. A page
 * has hundreds of parts, so they use the browser's own tooltips, which cost nothing until they are shown.
 */
export function StatusDistribution({ counts, group }: { counts: StatusCounts; group: string }) {
  const environment = useEnvironment();
  const parts = optionsOf(REQUEST_STATUS_LABELS).filter(({ value }) => counts[value] > 0);
  if (parts.length === 0) return null;
  return (
    <div className="status-distribution">
      {parts.map(({ value: status, label }) => (
        <Link
          key={status}
          to="/$environment/clients"
          params={{ environment }}
          search={{ group, status }}
          title={`${label}: ${counts[status].toLocaleString()}`}
          aria-label={`${label} in ${group}: ${counts[status].toLocaleString()}`}
          style={{ flexGrow: counts[status], background: STATUS_COLOURS[status] }}
        />
      ))}
    </div>
  );
}

/** What the colours of the bars mean. */
export function StatusLegend() {
  return (
    <Group gap="4px 16px" mb="sm" fz="sm" c="dimmed">
      {optionsOf(REQUEST_STATUS_LABELS).map(({ value }) => (
        <StatusLabel key={value} status={value} />
      ))}
    </Group>
  );
}
