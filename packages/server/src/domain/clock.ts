/** Where the time comes from, so that tests can move it. Milliseconds since 1970, UTC. */
export interface Clock {
  now(): number;
}
