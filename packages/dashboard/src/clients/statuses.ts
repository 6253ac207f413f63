/** In the order in which a request usually goes. */
export const STATUSES = ['requested', 'accepted', 'pending', 'completed', 'declined'] as const;
export type Status = (typeof STATUSES)[number];

export const TYPES = ['individual', 'company'] as const;

export const STATUS_COLOUR: Record<Status, string> = {
  requested: 'var(--mantine-color-gray-5)',
  accepted: 'var(--mantine-color-blue-5)',
  pending: 'var(--mantine-color-yellow-6)',
  completed: 'var(--mantine-color-teal-6)',
  declined: 'var(--mantine-color-red-6)',
};

const DEED: Record<Status, string> = {
  requested: 'Ask again',
  accepted: 'Mark accepted',
  pending: 'Hand in for review',
  completed: 'Complete',
  declined: 'Decline',
};

/** What going from one status to the next means, as a button says it. */
export function deedOf(from: Status, to: Status): string {
  return from === 'completed' ? 'Review again' : DEED[to];
}

export function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
