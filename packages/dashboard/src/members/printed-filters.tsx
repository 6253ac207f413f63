import { Text } from '@mantine/core';
import { browserTimeZone } from '../clients/index.ts';
import { labelOf } from '../labels.ts';
import { ACTION_KIND_LABELS } from './activity-labels.ts';
import { useActorText } from './queries.ts';
import type { ActivitySearch } from './search.ts';

/** On paper, the filters are a sentence: whoever reads it later has to know what is left out. */
export function PrintedFilters({ search: { search, kind, member, from, to } }: { search: ActivitySearch }) {
  const actorTextOf = useActorText();
  const filters: string[] = [];
  if (kind) filters.push(labelOf(ACTION_KIND_LABELS, kind));
  if (member) filters.push(`of ${actorTextOf(member)}`);
  if (search) filters.push(`with “${search}”`);
  const zone = browserTimeZone();
  if (from) filters.push(`from ${from} (${zone})`);
  if (to) filters.push(`to ${to} (${zone})`);
  if (filters.length === 0) return null;
  return (
    <Text size="sm" mb="sm" className="printed-only">
      Only: {filters.join(', ')}
    </Text>
  );
}
