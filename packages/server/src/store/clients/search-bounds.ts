import { FOUND_MAX } from '../../domain/clients/search-clients.ts';

/** Where a search changes from one way to another, on which its result does not depend, and where it ends. */
export interface SearchBounds {
  /** How many matches are counted and shown. */
  found: number;
  /** Reading the rows of so many clients takes a fraction of a second. With more, the list is read instead, in its order. */
  candidates: number;
  /** A list with at most this many clients is read at once, which is faster than to ask the index first. */
  shortList: number;
  /** In a workspace with fewer clients, the index is fast for every word. */
  sampledFrom: number;
}

export const SEARCH_BOUNDS: SearchBounds = {
  found: FOUND_MAX,
  candidates: 50_000,
  shortList: 1000,
  sampledFrom: 200_000,
};
