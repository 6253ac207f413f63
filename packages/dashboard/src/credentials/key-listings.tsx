import { Table, Text } from '@mantine/core';
import type { ListingRecord } from '#contract/credentials/keys.ts';

const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });

const ASKED_FOR: Record<ListingRecord['kind'], string> = { list: 'Pages of', summary: 'Counts of' };

/** Which clients the key has asked for, by day. */
export function KeyListings({ listings }: { listings: readonly ListingRecord[] }) {
  if (listings.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        The key has not asked for any clients.
      </Text>
    );
  }
  return (
    <Table.ScrollContainer minWidth={300} type="native">
      <Table className="stacked-table">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Day (UTC)</Table.Th>
            <Table.Th>Asked for</Table.Th>
            <Table.Th className="right">Calls</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {listings.map(({ day, kind, filter, calls }) => (
            <Table.Tr key={`${day} ${kind} ${filter}`}>
              <Table.Td data-label="Day (UTC)" className="unwrapped">
                <time dateTime={day}>{DAY.format(new Date(day))}</time>
              </Table.Td>
              <Table.Td data-label="Asked for" className="wide">
                {ASKED_FOR[kind]} {filter === '' ? 'all clients' : <Filter text={filter} />}
              </Table.Td>
              <Table.Td data-label="Calls" className="right">
                {calls.toLocaleString()}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** As it is in the address of a call. It may be long. */
function Filter({ text }: { text: string }) {
  return <span className="listing-filter">{text}</span>;
}
