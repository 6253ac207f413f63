import { Box, Group, Select, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ActivityRecord } from '#contract/members/activity.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { Loaded } from '../components/loaded.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { Pager } from '../components/pager.tsx';
import { Time } from '../components/time.tsx';
import { activityQuery, membersQuery } from '../queries.ts';

const route = getRouteApi('/$environment/settings/activity');

const KINDS = [
  { value: 'sign-in', label: 'Sign-ins' },
  { value: 'denial', label: 'Refusals' },
  { value: 'key', label: 'API keys' },
  { value: 'member', label: 'Members' },
  { value: 'profile', label: 'Profiles' },
  { value: 'client', label: 'Clients and imports' },
  { value: 'group', label: 'Groups' },
  { value: 'workspace', label: 'Upkeep' },
];

const WORDS: Record<ActivityRecord['action'], string> = {
  'sign-in.succeeded': 'Signed in',
  'sign-in.failed': 'Failed to sign in',
  'sign-in.ended': 'Signed out',
  'denial.role': 'Was refused',
  'key.created': 'Created API key',
  'key.revoked': 'Revoked API key',
  'member.set-up': 'Set up the account',
  'member.invited': 'Invited',
  'member.invitation-withdrawn': 'Withdrew the invitation of',
  'member.joined': 'Joined',
  'member.role-changed': 'Changed the role of',
  'member.removed': 'Removed',
  'member.reset-offered': 'Made a link to reset',
  'profile.password-changed': 'Changed their password',
  'profile.password-reset': 'Set a new password by a link',
  'profile.second-factor-added': 'Added a second factor',
  'profile.second-factor-removed': 'Removed their second factor',
  'profile.session-revoked': 'Signed out one of their browsers',
  'client.added': 'Added client',
  'client.changed': 'Changed client',
  'client.erased': 'Erased client',
  'client.imported': 'Imported',
  'client.exported': 'Exported',
  'group.created': 'Created group',
  'group.renamed': 'Renamed group',
  'workspace.index-rebuilt': 'Rebuilt the counted index',
};

/** Actions that say everything already: their subject is whoever did it. */
const OWN = /^(sign-in|profile)\.|^member\.set-up$/;

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
          aria-label="Kind"
          placeholder="Everything"
          data={KINDS}
          value={search.kind ?? null}
          onChange={(kind) => navigate({ search: { ...search, page: undefined, kind: kind ?? undefined } })}
          clearable
        />
        <Select
          aria-label="Member"
          placeholder="Everybody"
          data={members.data?.members.map(({ email }) => email) ?? []}
          value={search.member ?? null}
          onChange={(member) => navigate({ search: { ...search, page: undefined, member: member ?? undefined } })}
          clearable
          searchable
        />
      </Group>
      <Loaded query={activity} lines={10}>
        {({ results, page_number, total_pages, total_count }) =>
          results.length === 0 ? (
            <EmptyState title="Nothing on record">Nothing matches these filters.</EmptyState>
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
      </Loaded>
    </>
  );
}

function clientsText(count: number): string {
  return count === 1 ? '1 client' : `${count.toLocaleString('en')} clients`;
}

function ActivityTable({ entries }: { entries: ActivityRecord[] }) {
  return (
    <Box className="surface">
      <Table.ScrollContainer minWidth={720} type="native">
        <Table verticalSpacing={10} horizontalSpacing="md">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>When</Table.Th>
              <Table.Th>Who</Table.Th>
              <Table.Th>What</Table.Th>
              <Table.Th>From</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {entries.map((entry, index) => (
              <Table.Tr key={`${entry.at} ${index}`}>
                <Table.Td>
                  <Time value={entry.at} />
                </Table.Td>
                <Table.Td>{entry.member}</Table.Td>
                <Table.Td>
                  {WORDS[entry.action]}
                  {!OWN.test(entry.action) && <b style={{ fontWeight: 500 }}> {entry.subject}</b>}
                  {entry.clients !== null && ` (${clientsText(entry.clients)})`}
                  {entry.environment && (
                    <Text span size="sm" c="dimmed">
                      {' '}
                      in {entry.environment}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td>{entry.address}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Box>
  );
}
