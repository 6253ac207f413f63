import type { BulkPatch, SelectionCounts } from '#contract/clients/bulk-changes.ts';
import type { ClientRecord } from '#contract/clients/clients.ts';
import type { ClientStatus, RequestStatus } from '#contract/clients/index.ts';
import { TRANSITIONS } from '#contract/clients/statuses.ts';
import { countText } from '../count-text.ts';
import { quoted } from '../imported-from.ts';
import { CLIENT_STATUS_LABELS, REQUEST_STATUS_LABELS } from '../labels.ts';

type Counts = Pick<SelectionCounts, 'by_status' | 'by_client_status'>;

const STATUSES = Object.keys(REQUEST_STATUS_LABELS) as RequestStatus[];

/** The same numbers as the console counts, for clients that are shown. */
export function countsOf(clients: Iterable<ClientRecord>): Counts {
  const counts = {
    by_status: { requested: 0, accepted: 0, pending: 0, completed: 0, declined: 0 },
    by_client_status: { active: 0, inactive: 0 },
  };
  for (const client of clients) {
    counts.by_status[client.request_status]++;
    counts.by_client_status[client.client_status]++;
  }
  return counts;
}

/** The request statuses that at least one of the clients may be given. */
export function possibleStatuses({ by_status }: Counts): RequestStatus[] {
  return STATUSES.filter((status) => STATUSES.some((from) => by_status[from] > 0 && isStep(from, status)));
}

/** What the change will do, as far as it can be known before. */
export interface PlannedChange {
  /** How many clients will be changed. */
  changes: number;
  /** How many will be refused. */
  refused: number;
  /** Why others will not be changed. */
  notes: string[];
  /** Whether it can be undone. */
  undoText: string;
  /** Whether all of it can be undone. */
  canUndo: boolean;
}

/** `selected` is how many clients were selected one by one, of which some may have been erased since. */
export function planChange(patch: BulkPatch, counts: SelectionCounts, selected = counts.total_count): PlannedChange {
  const { request_status: status, group_name: group, client_status: active } = patch;
  const gone = selected - counts.total_count;
  const notes = gone > 0 ? [`${countText(gone, SELECTED_CLIENT_IS, SELECTED_CLIENTS_ARE)} no longer there.`] : [];
  if (status !== undefined) return planSteps(status, counts, notes);
  const already = group === undefined ? counts.by_client_status[active ?? 'active'] : (counts.in_group ?? 0);
  const changes = counts.total_count - already;
  if (already > 0)
    notes.push(`${countText(already, SELECTED_CLIENT_IS, SELECTED_CLIENTS_ARE)} already ${asText(patch)}.`);
  if (group !== undefined && changes > 0)
    notes.push(`Clients whose email is already used in ${quoted(group)} are not moved.`);
  return { changes, refused: 0, notes, undoText: changes > 0 ? 'You can undo this afterwards.' : '', canUndo: true };
}

const SELECTED_CLIENT_IS = 'of the selected clients is';
const SELECTED_CLIENTS_ARE = 'of the selected clients are';

function planSteps(status: RequestStatus, { by_status }: SelectionCounts, notes: string[]): PlannedChange {
  const label = REQUEST_STATUS_LABELS[status];
  let [changes, refused, undoable] = [0, 0, 0];
  for (const from of STATUSES.filter((each) => by_status[each] > 0)) {
    const count = by_status[from];
    const clients = countText(count, SELECTED_CLIENT_IS, SELECTED_CLIENTS_ARE);
    if (from === status) notes.push(`${clients} already ${label}.`);
    else if (isStep(from, status)) {
      changes += count;
      if (isStep(status, from)) undoable += count;
    } else {
      refused += count;
      notes.push(`${clients} ${REQUEST_STATUS_LABELS[from]} and cannot become ${label}.`);
    }
  }
  return { changes, refused, notes, undoText: undoTextOf(changes, undoable), canUndo: undoable === changes };
}

/**
 * The clients that the plan will change, as far as they are known. None of them if somebody seems to have changed some of them
 * since they were shown, because one might be named that stays as it is. `areAll` says whether no others are selected.
 */
export function changedAmong(
  known: readonly ClientRecord[],
  patch: BulkPatch,
  { changes }: PlannedChange,
  areAll: boolean,
): ClientRecord[] {
  const changed = known.filter((client) => wouldChange(client, patch));
  return (areAll ? changed.length === changes : changed.length <= changes) ? changed : [];
}

function wouldChange(client: ClientRecord, { request_status: status, group_name: group, client_status }: BulkPatch) {
  if (status !== undefined) return isStep(client.request_status, status);
  return group === undefined ? client.client_status !== client_status : client.group_name !== group;
}

function undoTextOf(changes: number, undoable: number): string {
  if (changes === 0) return '';
  if (undoable === 0) return 'This cannot be undone, because the step back is not allowed.';
  if (undoable === changes) return 'You can undo this afterwards.';
  const others = changes - undoable === 1 ? 'other one' : 'others';
  return `You can undo this afterwards for ${countText(undoable, 'client', 'clients')}. For the ${others}, the step back is not allowed.`;
}

function isStep(from: RequestStatus, to: RequestStatus): boolean {
  return TRANSITIONS[from].includes(to);
}

/** What the clients become, within a sentence: `Completed`, `in “North”`, `inactive`. */
export function asText({
  request_status: status,
  group_name: group,
  client_status: active,
}: Nullable<BulkPatch>): string {
  if (status) return REQUEST_STATUS_LABELS[status];
  return group ? `in ${quoted(group)}` : CLIENT_STATUS_LABELS[active ?? 'active'].toLowerCase();
}

type Nullable<Fields> = { [Name in keyof Fields]: Fields[Name] | null };

/** The deed in its three forms, each to be followed by what it is done to: `Move 3 clients to “North”?` */
interface Deed {
  verb: string;
  present: string;
  past: string;
  /** What follows the clients: ` to “North”`. */
  to: string;
}

const ACTIVITY_DEEDS: Record<ClientStatus, Deed> = {
  active: { verb: 'Activate', present: 'Activating', past: 'activated', to: '' },
  inactive: { verb: 'Deactivate', present: 'Deactivating', past: 'deactivated', to: '' },
};

export function deedOf({
  request_status: status,
  group_name: group,
  client_status: active,
}: Nullable<BulkPatch>): Deed {
  if (status) {
    const to = ` to ${REQUEST_STATUS_LABELS[status]}`;
    return { verb: 'Change', present: 'Changing', past: 'changed', to };
  }
  if (group) return { verb: 'Move', present: 'Moving', past: 'moved', to: ` to ${quoted(group)}` };
  return ACTIVITY_DEEDS[active ?? 'active'];
}
