/** A page of clients, or how many there are. */
export const LISTING_KINDS = ['list', 'summary'] as const;
export type ListingKind = (typeof LISTING_KINDS)[number];
