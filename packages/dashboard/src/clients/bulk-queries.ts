import { queryOptions } from '@tanstack/react-query';
import type {
  BulkChangeDetail,
  BulkChangeRecord,
  BulkPatch,
  LatestBulkChanges,
  SelectionCounts,
  SelectionForm,
} from '#contract/clients/bulk-changes.ts';
import type { Environment } from '#contract/environments.ts';
import { callConsole } from '../api.ts';

const REFETCH_MS = 700;

/** Somebody else may start a change. */
const IDLE_REFETCH_MS = 60_000;

/** How many of the selected clients have which status. Before a change they are counted anew, because others change them, too. */
export const selectionCountsQuery = (environment: Environment, selection: SelectionForm, change?: BulkPatch) => {
  const { group_name } = change ?? {};
  return queryOptions({
    queryKey: [environment, 'selection-counts', selection, change],
    queryFn: ({ signal }) =>
      callConsole<SelectionCounts>(
        'POST',
        `/${environment}/selection-counts`,
        { ...selection, ...(group_name !== undefined && { group_name }) },
        signal,
      ),
    gcTime: 0,
  });
};

export const latestBulkChangesQuery = (environment: Environment) =>
  queryOptions({
    queryKey: [environment, 'bulk-changes'],
    queryFn: () => callConsole<LatestBulkChanges>('GET', `/${environment}/bulk-changes`),
    refetchInterval: ({ state }) =>
      state.data?.results.some((each) => !isBulkChangeOver(each)) ? REFETCH_MS : IDLE_REFETCH_MS,
  });

export const bulkChangeQuery = (environment: Environment, changeId: string) =>
  queryOptions({
    queryKey: [environment, 'bulk-changes', changeId],
    queryFn: () => callConsole<BulkChangeDetail>('GET', `/${environment}/bulk-changes/${changeId}`),
  });

/** The newest result of a change that this member has started. */
export function ownResultIn(changes: readonly BulkChangeRecord[], email: string): BulkChangeRecord | undefined {
  return changes.find((each) => isBulkChangeOver(each) && each.started_by === email);
}

export function isBulkChangeOver({ state }: BulkChangeRecord): boolean {
  return state !== 'queued' && state !== 'running';
}
