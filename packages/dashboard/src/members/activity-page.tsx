import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { SEARCHED_CLIENTS_MAX } from '#contract/members/activity.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { Pager } from '../components/pager.tsx';
import { QueryContent } from '../components/query-content.tsx';
import { countText } from '../count-text.ts';
import { ActivityFiles, CheckpointNote } from './activity-files.tsx';
import { ActivityFilters } from './activity-filters.tsx';
import { ActivityTable } from './activity-table.tsx';
import { PrintedFilters } from './printed-filters.tsx';
import { activityQuery } from './queries.ts';
import { endsBeforeItBegins } from './search.ts';

const route = getRouteApi('/$environment/settings/activity');

export function ActivityPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const activity = useQuery(activityQuery(search));
  return (
    <>
      <PageHeader
        title="Activity"
        description="Who did what, when and from where, in both environments."
        actions={<ActivityFiles />}
      />
      <ActivityFilters search={search} onChange={(filters) => navigate({ search: filters })} />
      <PrintedFilters search={search} />
      {endsBeforeItBegins(search) ? (
        <EmptyState title="No activity found">The last day is before the first one.</EmptyState>
      ) : (
        <QueryContent query={activity} lines={10}>
          {({ results, page_number, total_pages, total_count, kept_days, leaves_out }) =>
            results.length === 0 ? (
              <EmptyState title="No activity found">No entry matches these filters. {keptText(kept_days)}</EmptyState>
            ) : (
              <>
                {leaves_out && (
                  <Text size="sm" c="dimmed" mb="sm">
                    More than {SEARCHED_CLIENTS_MAX} clients match. Entries about those that were added last are shown.
                  </Text>
                )}
                <ActivityTable entries={results} stale={activity.isPlaceholderData} />
                <Pager
                  page={page_number}
                  pages={total_pages}
                  total={total_count}
                  noun={['entry', 'entries']}
                  onPage={(page) => navigate({ search: { ...search, page } })}
                />
                {kept_days !== null && (
                  <Text size="sm" c="dimmed" mt="sm">
                    {keptText(kept_days)}
                  </Text>
                )}
              </>
            )
          }
        </QueryContent>
      )}
      <CheckpointNote />
    </>
  );
}

/** Says why there is nothing older. */
function keptText(days: number | null): string {
  return days === null ? '' : `Entries of today and the ${countText(days, 'day', 'days')} before are kept.`;
}
