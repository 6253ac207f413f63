import { FOUND_MAX } from '../../domain/clients/search-clients.ts';

/** Where a search ends, and where it changes from one way to another, on which its result does not depend. */
export interface SearchBounds {
  /** How many matches are counted and shown. */
  found: number;
  /** Reading the rows of so many clients takes a fraction of a second. With more, the list is read instead, in its order. */
  candidates: number;
  /** A list with at most this many clients is read at once, which is faster than to ask the index first. */
  shortList: number;
  /** A word that more clients have is common: the index takes ten milliseconds or more to collect them. */
  commonFrom: number;
  /** How many positions of a list are read in the time in which the row of one candidate is read. */
  passedPerRead: number;
  /** How many clients the index collects in the time in which one client of a list is read and compared. */
  collectedPerRead: number;
}

export const SEARCH_BOUNDS: SearchBounds = {
  found: FOUND_MAX,
  candidates: 50_000,
  shortList: 1000,
  commonFrom: 100_000,
  passedPerRead: 8,
  collectedPerRead: 30,
};
