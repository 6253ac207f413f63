import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { IMPORT_CLIENTS_PER_PAGE } from '#contract/clients/imports.ts';
import { useEnvironment } from '../environment.ts';
import { importClientsQuery } from './queries.ts';

declare module '@tanstack/history' {
  interface HistoryState {
    /** The list of the clients of an import from which this page was opened. */
    importPlace?: ImportPlace | undefined;
  }
}

export interface ImportPlace {
  importId: string;
  /** The page of the list on which the client is. */
  page: number;
}

/** A client of the import, and where it is listed. */
interface ListedClient {
  id: string;
  place: ImportPlace;
}

export interface ImportNeighbours {
  previous: ListedClient | undefined;
  next: ListedClient | undefined;
}

/** Where the client of this page is among those of an import, if it was opened from there. */
export function useImportPlace(): ImportPlace | undefined {
  return useLocation({ select: ({ state }) => state.importPlace });
}

/** The clients before and after one of an import, in the order in which the import lists them. Missing if it is not where it was. */
export function useImportNeighbours(place: ImportPlace, referenceId: string): ImportNeighbours | undefined {
  const { importId, page } = place;
  const here = usePageOfImport(place);
  const index = here?.indexOf(referenceId) ?? -1;
  const isFirst = index === 0 && page > 1;
  const isLast = index === IMPORT_CLIENTS_PER_PAGE - 1;
  const before = usePageOfImport({ importId, page: page - 1 }, isFirst);
  const after = usePageOfImport({ importId, page: page + 1 }, isLast);
  if (!here || index < 0) return undefined;
  const listed = (id: string | undefined, on: number) => {
    return id === undefined ? undefined : { id, place: { importId, page: on } };
  };
  return {
    previous: isFirst ? listed(before?.at(-1), page - 1) : listed(here[index - 1], page),
    next: isLast ? listed(after?.[0], page + 1) : listed(here[index + 1], page),
  };
}

function usePageOfImport({ importId, page }: ImportPlace, enabled = true): string[] | undefined {
  const query = importClientsQuery(useEnvironment(), importId, page);
  const { data, isPlaceholderData } = useQuery({ ...query, enabled });
  // Not the clients of another page in the meantime.
  return isPlaceholderData ? undefined : data?.results.map(({ client }) => client.reference_id);
}
