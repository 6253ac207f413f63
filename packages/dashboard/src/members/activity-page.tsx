import { Box, Group, Select, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ActivityRecord } from '#contract/members/activity.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { Pager } from '../components/pager.tsx';
import { QueryContent } from '../components/query-content.tsx';
import { Time } from '../components/time.tsx';
import { countText } from '../count-text.ts';
import { ACTOR_LABELS, ENVIRONMENT_NAMES, labelOf, optionsOf } from '../labels.ts';
import { ACTION_KIND_LABELS, actionLabel, hasOwnSubject, subjectText } from './activity-labels.ts';
import { activityQuery, membersQuery } from './queries.ts';

const route = getRouteApi('/$environment/settings/activity');

export function ActivityPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const activity = useQuery(activityQuery(search));
  const members = useQuery(membersQuery);
  return (
    <>
      <PageHeader title="Activity" description="Who did what, when and from where, in both environments." />
      <Group mb="md" gap="sm">
        <Select
          aria-label="Kind of activity"
          placeholder="All activity"
          data={optionsOf(ACTION_KIND_LABELS)}
          value={search.kind ?? null}
          onChange={(kind) => navigate({ search: { ...search, page: undefined, kind: kind ?? undefined } })}
          clearable
        />
        <Select
          aria-label="Member"
          placeholder="All members"
          data={members.data?.members.map(({ email }) => email) ?? []}
          value={search.member ?? null}
          onChange={(member) => navigate({ search: { ...search, page: undefined, member: member ?? undefined } })}
          clearable
          searchable
        />
      </Group>
      <QueryContent query={activity} lines={10}>
        {({ results, page_number, total_pages, total_count }) =>
          results.length === 0 ? (
            <EmptyState title="No activity found">No entry matches these filters.</EmptyState>
          ) : (
            <>
              <ActivityTable entries={results} />
              <Pager
                page={page_number}
                pages={total_pages}
                total={total_count}
                noun={['entry', 'entries']}
                onPage={(page) => navigate({ search: { ...search, page } })}
              />
            </>
          )
        }
      </QueryContent>
    </>
  );
}

function ActivityTable({ entries }: { entries: ActivityRecord[] }) {
  return (
    <Box className="surface">
      <Table.ScrollContainer minWidth={300} type="native">
        <Table verticalSpacing={10} horizontalSpacing="md" className="stacked-table">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Time</Table.Th>
              <Table.Th>Member</Table.Th>
              <Table.Th>Action</Table.Th>
              <Table.Th className="unwrapped">IP address</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {entries.map((entry, index) => (
              <Table.Tr key={`${entry.at} ${index}`}>
                <Table.Td data-label="Time">
                  <Time value={entry.at} />
                </Table.Td>
                <Table.Td className="wide" data-label="Member">
                  {labelOf(ACTOR_LABELS, entry.member)}
                </Table.Td>
                <Table.Td className="wide first">
                  {actionLabel(entry)}
                  {hasOwnSubject(entry.action) && <b style={{ fontWeight: 500 }}> {subjectText(entry)}</b>}
                  {entry.clients !== null && ` (${countText(entry.clients, 'client', 'clients')})`}
                  {entry.environment && (
                    <Text span size="sm" c="dimmed">
                      {' '}
                      in {ENVIRONMENT_NAMES[entry.environment]}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td data-label="IP address">{entry.address}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Box>
  );
}
