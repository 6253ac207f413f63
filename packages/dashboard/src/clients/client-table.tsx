import { Badge, Box, Table } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { memo, type ReactNode } from 'react';
import type { ClientRecord } from '#contract/clients/clients.ts';
import { wordsOf } from '#contract/clients/words.ts';
import { Time } from '../components/time.tsx';
import { useEnvironment } from '../environment.ts';
import { CLIENT_STATUS_LABELS, CLIENT_TYPE_LABELS } from '../labels.ts';
import { Highlighted } from './highlighted.tsx';
import type { ClientsSearch } from './search.ts';
import { ClientBox, PageBox } from './select-boxes.tsx';
import { StatusLabel } from './status-label.tsx';
import { COLUMN_LABELS, type Column, DEFAULT_OPTIONS, useTableOptions } from './table-options.ts';
import { useListKeys } from './use-list-keys.ts';
import type { RowPlace } from './use-row-place.ts';
import type { Selection } from './use-selection.ts';

interface ClientTableProps {
  clients: ClientRecord[];
  /** The list to which they belong. */
  search: ClientsSearch;
  /** Missing for members who may not change clients. */
  selection: Selection | undefined;
  place: RowPlace;
  /**
   * True while these are still the clients of the previous page or list, and the next one is loading. They cannot be selected or
   * opened, because they may be none of the list that the page is about.
   */
  stale: boolean;
}

/** Given widths, so that columns stay where they are from page to page. The client has the rest. */
const WIDTHS: Record<Column, number> = {
  request_status: 135,
  client_type: 100,
  client_status: 115,
  group_name: 150,
  created_at: 125,
  external_id: 150,
  reference_id: 240,
};
/** With more columns than at first, the table is scrolled anyway, and a name is not cut for them. */
const CLIENT_WIDTH = { atFirst: 160, withMore: 260 };
const SELECTION_WIDTH = 44;

export function ClientTable(props: ClientTableProps) {
  const { stale } = props;
  return (
    <Box className="surface" style={{ opacity: stale ? 0.6 : 1 }} aria-busy={stale} inert={stale}>
      <Rows {...props} />
    </Box>
  );
}

/** Stale ones stay as they are: rendering them would take longer than the next ones need to arrive. */
const Rows = memo(RowsNow, (_before, { stale }) => stale);

function RowsNow({ clients, search, selection, place }: ClientTableProps) {
  const [{ columns, density }] = useTableOptions();
  useListKeys(clients, selection, place);
  const words = search.search === undefined ? [] : wordsOf(search.search);
  const clientWidth = CLIENT_WIDTH[columns.length > DEFAULT_OPTIONS.columns.length ? 'withMore' : 'atFirst'];
  const width = columns.reduce((sum, column) => sum + WIDTHS[column], clientWidth + SELECTION_WIDTH);
  return (
    <div className="clients-table" tabIndex={-1}>
      <Table
        verticalSpacing={density === 'compact' ? 4 : 9}
        horizontalSpacing="md"
        layout="fixed"
        style={{ '--table-width': `${width}px` }}
      >
        <Table.Thead>
          <Table.Tr>
            {selection && (
              <Table.Th w={SELECTION_WIDTH} className="screen-only">
                <PageBox selection={selection} page={clients} />
              </Table.Th>
            )}
            <Table.Th>Client</Table.Th>
            {columns.map((column) => (
              <Table.Th key={column} w={WIDTHS[column]} className={column}>
                {COLUMN_LABELS[column]}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody onFocus={place.keep}>
          {clients.map((client) => (
            <ClientRow
              key={client.reference_id}
              client={client}
              search={search}
              words={words}
              columns={columns}
              isCompact={density === 'compact'}
              box={selection && <ClientBox selection={selection} page={clients} client={client} />}
            />
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

interface ClientRowProps {
  client: ClientRecord;
  search: ClientsSearch;
  /** What was searched for, and is marked. */
  words: readonly string[];
  columns: Column[];
  isCompact: boolean;
  /** Selects the client. */
  box: ReactNode;
}

/** In plain elements, because those of the library take most of the time of opening a page. */
function ClientRow({ client, search, words, columns, isCompact, box }: ClientRowProps) {
  const environment = useEnvironment();
  return (
    <tr className="row">
      {box && <td className="screen-only">{box}</td>}
      <td>
        <div className={isCompact ? 'one-line' : ''}>
          <Link
            to="/$environment/clients/$referenceId"
            params={{ environment, referenceId: client.reference_id }}
            search={search}
            className="row-link"
          >
            <Highlighted text={client.client_name} words={words} />
          </Link>
          <div className="row-parts">
            {client.client_status === 'inactive' && !columns.includes('client_status') && (
              <Badge variant="default" size="sm" tt="none" fw={500} flex="none">
                {CLIENT_STATUS_LABELS.inactive}
              </Badge>
            )}
            <span className="row-text">
              <Highlighted text={client.email} words={words} />
            </span>
          </div>
        </div>
        <div className="row-parts on-phone">
          <span className="row-text">{client.group_name}</span>
          <span className="row-text row-date">
            <Time value={client.created_at} as="date" />
          </span>
        </div>
      </td>
      {columns.map((column) => (
        <td key={column} className={column}>
          <Cell client={client} column={column} words={words} />
        </td>
      ))}
    </tr>
  );
}

/** Texts that people choose may be long, and are cut at the width of the column. */
function Cell({
  client,
  column,
  words,
}: {
  client: ClientRecord;
  column: Column;
  words: readonly string[];
}): ReactNode {
  switch (column) {
    case 'request_status':
      return <StatusLabel status={client.request_status} />;
    case 'client_type':
      return CLIENT_TYPE_LABELS[client.client_type];
    case 'client_status':
      return CLIENT_STATUS_LABELS[client.client_status];
    case 'created_at':
      return <Time value={client.created_at} as="date" />;
    case 'group_name':
      return (
        <span className="cut" title={client.group_name}>
          {client.group_name}
        </span>
      );
    case 'external_id':
    case 'reference_id':
      return (
        <span className="cut row-id" title={client[column]}>
          <Highlighted text={client[column]} words={words} />
        </span>
      );
  }
}
