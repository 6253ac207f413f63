import type { RequestStatus } from '#contract/clients/index.ts';

export const STATUS_COLOURS: Record<RequestStatus, string> = {
  requested: 'var(--mantine-color-gray-5)',
  accepted: 'var(--mantine-color-blue-5)',
  pending: 'var(--mantine-color-yellow-6)',
  completed: 'var(--mantine-color-teal-6)',
  declined: 'var(--mantine-color-red-6)',
};

const ACTION_LABELS: Record<RequestStatus, string> = {
  requested: 'Mark as requested',
  accepted: 'Mark as accepted',
  pending: 'Mark as pending',
  completed: 'Complete',
  declined: 'Decline',
};

/** The label of the button that gives a client this request status. */
export function actionLabel(status: RequestStatus): string {
  return ACTION_LABELS[status];
}
