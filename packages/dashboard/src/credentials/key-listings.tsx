import { Code, Table, Text } from '@mantine/core';
import { Fragment } from 'react';
import { LISTINGS_SHOWN, type ListingRecord } from '#contract/credentials/keys.ts';

const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });

/** Which clients the key has requested, by day. */
export function KeyListings({ keyId, listings }: { keyId: string; listings: readonly ListingRecord[] }) {
  if (listings.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No requests for clients are on record.
      </Text>
    );
  }
  return (
    <>
      <Table.ScrollContainer minWidth={300} type="native">
        <Table className="stacked-table flush-table">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Day (UTC)</Table.Th>
              <Table.Th>Requested</Table.Th>
              <Table.Th className="right">Calls</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {listings.map((listing) => (
              <ListingRow key={`${listing.day} ${listing.kind} ${listing.filter}`} listing={listing} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {listings.length === LISTINGS_SHOWN && (
        <Text size="sm" c="dimmed" mt="sm">
          Only the latest {LISTINGS_SHOWN} rows are shown. <Code>rollcall key listings {keyId}</Code> prints all of
          them.
        </Text>
      )}
    </>
  );
}

function ListingRow({ listing: { day, kind, filter, calls } }: { listing: ListingRecord }) {
  return (
    <Table.Tr>
      <Table.Td data-label="Day (UTC)" className="unwrapped">
        <time dateTime={day}>{DAY.format(new Date(day))}</time>
      </Table.Td>
      <Table.Td className="wide first">
        {kind === 'client' ? 'Single clients' : <Listed kind={kind} filter={filter} />}
      </Table.Td>
      <Table.Td data-label="Calls" className="right">
        {calls.toLocaleString()}
      </Table.Td>
    </Table.Tr>
  );
}

function Listed({ kind, filter }: Pick<ListingRecord, 'kind' | 'filter'>) {
  const noun = kind === 'list' ? 'Lists' : 'Counts';
  if (filter === '') return `${noun} of all clients`;
  return (
    <>
      {noun} with <Filter text={filter} />
    </>
  );
}

/** As it is in the address of a call. It may be long, and is broken between two filters if possible. */
function Filter({ text }: { text: string }) {
  return (
    <span className="listing-filter">
      {text.split('&').map((part, index) => (
        <Fragment key={part}>
          {index > 0 && (
            <>
              <wbr />
              &amp;
            </>
          )}
          {part}
        </Fragment>
      ))}
    </span>
  );
}
