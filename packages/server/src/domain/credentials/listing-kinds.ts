/** A page of a list, how many clients there are, or one client. */
export const LISTING_KINDS = ['list', 'summary', 'client'] as const;
export type ListingKind = (typeof LISTING_KINDS)[number];
