import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { clientsQuery, groupsQuery, viewsQuery } from '../clients/index.ts';
import { keysQuery } from '../credentials/index.ts';
import { otherEnvironment, useEnvironment } from '../environment.ts';
import { sessionQuery, useCanEdit } from '../session.ts';
import { bestMatches, byMatch, type Matched, matcherOf, partMatcherOf } from './best-matches.ts';
import {
  actionEntries,
  clientEntry,
  groupEntry,
  keyEntry,
  type PaletteDeeds,
  type PaletteEntry,
  pageEntries,
  viewEntry,
} from './palette-entries.ts';

/** How many clients, groups, views and API keys are shown at most, of each. */
const SHOWN = 5;

/** Among so many of the newest clients that match, those are chosen that match best: by their name rather than by their email. */
const CLIENTS_READ = 50;

/** A search for clients begins when the member has stopped typing for this long. */
const TYPING_MS = 200;

interface PaletteResults {
  entries: PaletteEntry[];
  isSearching: boolean;
  /** Why some entries may be missing. */
  problem: string | undefined;
}

/** What the palette shows for a text: everything that matches it, the best match first. */
export function usePaletteEntries(typed: string, deeds: PaletteDeeds): PaletteResults {
  const environment = useEnvironment();
  const { may_export: mayExport } = useSuspenseQuery(sessionQuery).data;
  const scene = { canEdit: useCanEdit(), mayExport, other: otherEnvironment(environment) };
  const clients = useFoundClients(typed, deeds);
  const groups = useQuery(groupsQuery(environment));
  const views = useQuery(viewsQuery(environment));
  const keys = useQuery(keysQuery(environment));
  const searchClients = useSearchEntry(typed);
  const fixed = [...pageEntries(deeds), ...actionEntries(deeds, scene)];
  if (typed === '') return { entries: fixed, isSearching: false, problem: undefined };
  const matcher = matcherOf(typed);
  const matched = byMatch([
    ...bestMatches(fixed, matcher),
    ...clients.found,
    ...bestMatches(groups.data?.groups.map((group) => groupEntry(deeds, group)) ?? [], partMatcherOf(typed), SHOWN),
    ...bestMatches(views.data?.views.map((view) => viewEntry(deeds, view)) ?? [], matcher, SHOWN),
    ...bestMatches(keys.data?.keys.map((key) => keyEntry(deeds, key)) ?? [], matcher, SHOWN),
  ]);
  return {
    entries: [...matched.map(({ entry }) => entry), searchClients],
    isSearching: clients.isSearching,
    problem: (clients.error ?? groups.error ?? views.error ?? keys.error)?.message,
  };
}

/** While the clients of the text are searched for, those of the text before are shown as far as they match. */
function useFoundClients(typed: string, deeds: PaletteDeeds) {
  const environment = useEnvironment();
  const [words] = useDebouncedValue(typed, TYPING_MS);
  const query = useQuery({
    ...clientsQuery(environment, { search: words, size: CLIENTS_READ }),
    enabled: words !== '',
  });
  const isCurrent = words === typed && !query.isPlaceholderData;
  const matcher = matcherOf(typed);
  const found = (query.data?.results ?? []).map((client): Matched<PaletteEntry> => {
    const entry = clientEntry(deeds, client);
    const match = matcher(entry);
    // The service knows better than this page which clients match.
    return { entry, match: isCurrent && match === 0 ? 1 : match };
  });
  return {
    found: byMatch(found.filter(({ match }) => match > 0)).slice(0, SHOWN),
    isSearching: words !== typed || query.isFetching,
    error: query.error,
  };
}

/** The list of all clients that match, last, because it is there for every text. */
function useSearchEntry(search: string): PaletteEntry {
  const environment = useEnvironment();
  const navigate = useNavigate();
  return {
    id: 'search',
    label: `Search clients for “${search}”`,
    Icon: IconSearch,
    run: () => navigate({ to: '/$environment/clients', params: { environment }, search: { search } }),
  };
}
