import { Anchor, Box, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Environment } from '#contract/environments.ts';
import type { ActivityRecord } from '#contract/members/activity.ts';
import { Actor } from '../components/actor.tsx';
import { Address } from '../components/address.tsx';
import { Time } from '../components/time.tsx';
import { useEnvironment } from '../environment.ts';
import { ENVIRONMENT_NAMES } from '../labels.ts';
import { clientsText, groupOf, pageOf, sentenceOf, subjectText } from './activity-labels.ts';
import { Changes } from './changes.tsx';
import { ClientName, ListedClients } from './listed-clients.tsx';

interface ActivityTableProps {
  entries: ActivityRecord[];
  /** True while these are still the entries of the previous page or filter and the next ones are loading. */
  stale: boolean;
}

export function ActivityTable({ entries, stale }: ActivityTableProps) {
  return (
    <Box className="surface" style={{ opacity: stale ? 0.6 : 1 }} aria-busy={stale}>
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
                  <Actor name={entry.member} keyName={entry.by_key} environment={entry.environment} />
                </Table.Td>
                <Table.Td className="wide first">
                  <Sentence entry={entry} />
                  {entry.changed && <Changes {...entry.changed} />}
                  {entry.listed_as !== null && entry.environment && (
                    <ListedClients
                      environment={entry.environment}
                      number={entry.listed_as}
                      total={entry.clients ?? 0}
                    />
                  )}
                </Table.Td>
                <Table.Td
                  data-label="IP address"
                  className="unwrapped"
                  title={entry.request_id ? `Request ${entry.request_id}` : undefined}
                >
                  <Address value={entry.address} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Box>
  );
}

function Sentence({ entry }: { entry: ActivityRecord }) {
  const { before, about, after } = sentenceOf(entry);
  return (
    <>
      {before} {about === 'subject' && <Subject entry={entry} />}
      {about === 'clients' && <Clients entry={entry} />}
      {after}
      {entry.environment && (
        <Text span size="sm" c="dimmed">
          {' '}
          in {ENVIRONMENT_NAMES[entry.environment]}
        </Text>
      )}
    </>
  );
}

function Clients({ entry }: { entry: ActivityRecord }) {
  const { client, environment } = entry;
  const text = clientsText(entry);
  if (!client || !environment) return <b style={{ fontWeight: 500 }}>{text}</b>;
  return <ClientName client={client} environment={environment} text={text} />;
}

function Subject({ entry }: { entry: ActivityRecord }) {
  const ownEnvironment = useEnvironment();
  const environment = entry.environment ?? ownEnvironment;
  const group = groupOf(entry);
  if (group !== undefined) return <ClientsOfGroup group={group} environment={environment} text={subjectText(entry)} />;
  const page = pageOf(entry);
  if (!page) return <b style={{ fontWeight: 500 }}>{subjectText(entry)}</b>;
  return (
    <Anchor
      size="sm"
      underline="always"
      renderRoot={(props) => (
        <Link
          to={page}
          params={{ environment, importId: entry.import_id ?? '', keyId: entry.key_id ?? '' }}
          {...props}
        />
      )}
    >
      {subjectText(entry)}
    </Anchor>
  );
}

/** If the group is gone or has another name now, the list says so. */
function ClientsOfGroup({ group, environment, text }: { group: string; environment: Environment; text: string }) {
  return (
    <Anchor
      size="sm"
      underline="always"
      renderRoot={(props) => <Link to="/$environment/clients" params={{ environment }} search={{ group }} {...props} />}
    >
      {text}
    </Anchor>
  );
}
