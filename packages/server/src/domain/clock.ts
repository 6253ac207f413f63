/** The source of the current time, which tests replace. Times are milliseconds since 1970, UTC. */
export interface Clock {
  now(): number;
}
