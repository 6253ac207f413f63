export const REQUEST_STATUSES = ['pending', 'declined', 'completed', 'accepted', 'requested'] as const;

export type RequestStatus = (typeof REQUEST_STATUSES)[number];
