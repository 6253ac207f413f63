import { FOUND_MAX } from '../../domain/clients/search-clients.ts';

/** Where a search ends, and where it changes from one way to another, on which its result does not depend. */
export interface SearchBounds {
  /** How many matches are counted and shown. */
  found: number;
  /** The rows of so many clients are compared with words that the index was not asked for. Of more, it is asked for all words. */
  candidates: number;
  /**
   * The most clients that the index collects for the words of one question. On SQLite, that cannot be interrupted, and takes
   * about 0.2 microseconds for each.
   */
  collected: number;
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
  collected: 1_000_000,
  shortList: 1000,
  commonFrom: 100_000,
  passedPerRead: 8,
  collectedPerRead: 30,
};
