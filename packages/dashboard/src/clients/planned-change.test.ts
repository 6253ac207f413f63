import { expect, test } from 'vitest';
import type { BulkPatch, SelectionCounts } from '#contract/clients/bulk-changes.ts';
import type { ClientRecord } from '#contract/clients/clients.ts';
import { changedAmong, planChange, possibleStatuses } from './planned-change.ts';

function clientWith(name: string, status: ClientRecord['request_status']): ClientRecord {
  return {
    client_name: name,
    email: `${name}@mail.example`,
    client_type: 'individual',
    client_status: 'active',
    request_status: status,
    group_name: 'North',
    group_token: 'north',
    reference_id: name,
    external_id: '',
    created_at: '2026-01-01T00:00:00Z',
  };
}

const COUNTS: SelectionCounts = {
  total_count: 20,
  by_status: { requested: 0, accepted: 4, pending: 1, completed: 12, declined: 3 },
  by_client_status: { active: 19, inactive: 1 },
  in_group: 2,
};

test('only the steps are possible that at least one client may take', () => {
  expect(possibleStatuses(COUNTS)).toEqual(['requested', 'pending', 'completed', 'declined']);
  const requested = { ...COUNTS.by_status, accepted: 0, pending: 0, completed: 0, declined: 0, requested: 5 };
  expect(possibleStatuses({ ...COUNTS, by_status: requested })).toEqual(['accepted', 'declined']);
});

const CAN_UNDO = 'You can undo this afterwards.';

test.each<[BulkPatch, number, string[], string]>([
  [
    { request_status: 'completed' },
    1,
    [
      '4 of the selected clients are Accepted and cannot become Completed.',
      '12 of the selected clients are already Completed.',
      '3 of the selected clients are Declined and cannot become Completed.',
    ],
    CAN_UNDO,
  ],
  [
    { request_status: 'pending' },
    16,
    [
      '1 of the selected clients is already Pending.',
      '3 of the selected clients are Declined and cannot become Pending.',
    ],
    'You can undo this afterwards for 12 clients. For the others, the step back is not allowed.',
  ],
  [
    { request_status: 'declined' },
    5,
    [
      '12 of the selected clients are Completed and cannot become Declined.',
      '3 of the selected clients are already Declined.',
    ],
    'This cannot be undone, because the step back is not allowed.',
  ],
  [
    { group_name: 'North' },
    18,
    [
      '2 of the selected clients are already in “North”.',
      'Clients whose email is already used in “North” are not moved.',
    ],
    CAN_UNDO,
  ],
  [{ client_status: 'inactive' }, 19, ['1 of the selected clients is already inactive.'], CAN_UNDO],
])('what %o will do is said before', (patch, changes, notes, undoText) => {
  expect(planChange(patch, COUNTS, 20)).toMatchObject({ changes, notes, undoText });
});

test('only what can be undone as a whole counts as such', () => {
  const canUndo = (patch: BulkPatch) => planChange(patch, COUNTS).canUndo;
  expect(canUndo({ request_status: 'completed' })).toBe(true);
  expect(canUndo({ client_status: 'inactive' })).toBe(true);
  expect(canUndo({ request_status: 'pending' }), '4 of the clients cannot go back').toBe(false);
  expect(canUndo({ request_status: 'declined' })).toBe(false);
});

test('the clients are named that will be changed, unless somebody has changed some of them since', () => {
  const known = [clientWith('Ann', 'pending'), clientWith('Bob', 'completed'), clientWith('Cleo', 'accepted')];
  const named = (changes: number, areAll: boolean) => {
    const plan = { changes, refused: 0, notes: [], undoText: '', canUndo: false };
    return changedAmong(known, { request_status: 'declined' }, plan, areAll).map((client) => client.client_name);
  };
  expect(named(2, true)).toEqual(['Ann', 'Cleo']);
  expect(named(1, true)).toEqual([]);
  expect(named(40, false)).toEqual(['Ann', 'Cleo']);
  expect(named(1, false)).toEqual([]);
});

test('a client that was erased since it was selected is mentioned', () => {
  const { notes } = planChange({ client_status: 'inactive' }, COUNTS, 21);
  expect(notes[0]).toBe('1 of the selected clients is no longer there.');
});
