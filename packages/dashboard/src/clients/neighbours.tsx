import { Button, Group } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { usePageKeys } from '../components/use-page-keys.ts';
import { useWayBack } from '../components/way-back.ts';
import { useEnvironment } from '../environment.ts';
import { type ImportPlace, useImportNeighbours, useImportPlace } from './import-place.ts';
import { neighboursQuery } from './queries.ts';
import type { ClientSearch } from './search.ts';

interface NeighboursProps {
  referenceId: string;
  /** The list from which the client was opened. */
  search: ClientSearch;
}

/** Leads to the clients before and after this one where it was opened from, also with the keys `k` and `j`. */
export function Neighbours({ referenceId, search }: NeighboursProps) {
  const place = useImportPlace();
  const back = useWayBack();
  if (place) return <NeighboursInImport referenceId={referenceId} place={place} />;
  // A page that is no list of clients has no next one.
  return back ? null : <NeighboursInList referenceId={referenceId} search={search} />;
}

function NeighboursInList({ referenceId, search }: NeighboursProps) {
  const environment = useEnvironment();
  const navigate = useNavigate();
  const { data } = useQuery(neighboursQuery(environment, referenceId, search));
  const opener = (id: string | null | undefined) => {
    if (!id) return undefined;
    const params = { environment, referenceId: id };
    // The way back stays the same.
    return () => navigate({ to: '/$environment/clients/$referenceId', params, search, state: true });
  };
  return <NeighbourButtons openPrevious={opener(data?.previous)} openNext={opener(data?.next)} />;
}

function NeighboursInImport({ referenceId, place }: { referenceId: string; place: ImportPlace }) {
  const environment = useEnvironment();
  const navigate = useNavigate();
  const neighbours = useImportNeighbours(place, referenceId);
  if (!neighbours) return null;
  const opener = (client: (typeof neighbours)['next']) => {
    if (!client) return undefined;
    const params = { environment, referenceId: client.id };
    return () =>
      navigate({
        to: '/$environment/clients/$referenceId',
        params,
        state: (state) => ({ ...state, importPlace: client.place }),
      });
  };
  return <NeighbourButtons openPrevious={opener(neighbours.previous)} openNext={opener(neighbours.next)} />;
}

interface NeighbourButtonsProps {
  /** Missing where there is none. */
  openPrevious: (() => void) | undefined;
  openNext: (() => void) | undefined;
}

function NeighbourButtons({ openPrevious, openNext }: NeighbourButtonsProps) {
  usePageKeys([
    ['k', () => openPrevious?.()],
    ['j', () => openNext?.()],
  ]);
  return (
    <Group gap={6}>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconChevronLeft size={14} />}
        disabled={!openPrevious}
        onClick={openPrevious}
      >
        Previous
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        rightSection={<IconChevronRight size={14} />}
        disabled={!openNext}
        onClick={openNext}
      >
        Next
      </Button>
    </Group>
  );
}
