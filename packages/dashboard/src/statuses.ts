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

/** What choosing this status next means, as a button says it. */
export const STATUS_DEED: Record<Status, string> = {
  requested: 'Ask again',
  accepted: 'Mark accepted',
  pending: 'Hand in for review',
  completed: 'Complete',
  declined: 'Decline',
};

export function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
