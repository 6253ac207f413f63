import { Button, Group } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { usePageKeys } from '../components/use-page-keys.ts';
import { useEnvironment } from '../environment.ts';
import { neighboursQuery } from './queries.ts';
import type { ClientSearch } from './search.ts';

interface NeighboursProps {
  referenceId: string;
  /** The list from which the client was opened. */
  search: ClientSearch;
}

/** Leads to the clients before and after this one in the list, also with the keys `k` and `j`. */
export function Neighbours({ referenceId, search }: NeighboursProps) {
  const environment = useEnvironment();
  const navigate = useNavigate();
  const { data } = useQuery(neighboursQuery(environment, referenceId, search));
  const open = (id: string | null | undefined) => {
    if (!id) return;
    navigate({
      to: '/$environment/clients/$referenceId',
      params: { environment, referenceId: id },
      search,
      // The way back stays the same.
      state: true,
    });
  };
  usePageKeys([
    ['k', () => open(data?.previous)],
    ['j', () => open(data?.next)],
  ]);
  return (
    <Group gap={6}>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconChevronLeft size={14} />}
        disabled={!data?.previous}
        onClick={() => open(data?.previous)}
      >
        Previous
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        rightSection={<IconChevronRight size={14} />}
        disabled={!data?.next}
        onClick={() => open(data?.next)}
      >
        Next
      </Button>
    </Group>
  );
}
