import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ActivityPage as ActivityPageRecord, SEARCHED_CLIENTS_MAX } from '#contract/members/activity.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { Pager } from '../components/pager.tsx';
import { QueryContent } from '../components/query-content.tsx';
import { dateTimeText } from '../components/time.tsx';
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
        actions={<ActivityFiles search={search} />}
      />
      <ActivityFilters search={search} onChange={(filters) => navigate({ search: filters })} />
      <PrintedFilters search={search} />
      {endsBeforeItBegins(search) ? (
        <EmptyState title="No activity found">The last day is before the first one.</EmptyState>
      ) : (
        <QueryContent query={activity} lines={10}>
          {(page) => <Entries page={page} isStale={activity.isPlaceholderData} />}
        </QueryContent>
      )}
      <CheckpointNote />
    </>
  );
}

function Entries({ page, isStale }: { page: ActivityPageRecord; isStale: boolean }) {
  const navigate = route.useNavigate();
  const { results, searched_back_to: since, kept_days } = page;
  if (results.length === 0) {
    return (
      <EmptyState title="No activity found" action={since && <SearchFurther isSearching={isStale} />}>
        {since
          ? `None of the newest entries matches. They were searched back to ${dateTimeText(since)}.`
          : `No entry matches these filters. ${keptText(kept_days)}`}
      </EmptyState>
    );
  }
  return (
    <>
      {page.leaves_out && (
        <Text size="sm" c="dimmed" mb="sm">
          More than {SEARCHED_CLIENTS_MAX} clients match. Entries about those that were added last are shown.
        </Text>
      )}
      {since && (
        <Group gap="sm" mb="sm">
          <Text size="sm" c="dimmed">
            The newest entries were searched, back to {dateTimeText(since)}.
          </Text>
          <SearchFurther isSearching={isStale} />
        </Group>
      )}
      <ActivityTable entries={results} stale={isStale} />
      <Pager
        page={page.page_number}
        pages={page.total_pages}
        total={page.total_count}
        noun={['entry', 'entries']}
        onPage={(number) => navigate({ search: (search) => ({ ...search, page: number }) })}
      />
      {kept_days !== null && (
        <Text size="sm" c="dimmed" mt="sm">
          {keptText(kept_days)}
        </Text>
      )}
    </>
  );
}

/** If the log is long, the answer takes some seconds. */
function SearchFurther({ isSearching }: { isSearching: boolean }) {
  const navigate = route.useNavigate();
  return (
    <Button
      variant="default"
      size="compact-sm"
      loading={isSearching}
      onClick={() => navigate({ search: (search) => ({ ...search, page: undefined, whole: true }) })}
    >
      Search the whole log
    </Button>
  );
}

/** Says why there is nothing older. */
function keptText(days: number | null): string {
  return days === null ? '' : `Entries of today and the ${countText(days, 'day', 'days')} before are kept.`;
}
