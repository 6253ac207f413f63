import { Failure } from '../failure.ts';
import { DAY_MS } from '../time.ts';

/** Enough for the dates of most files, and a bound for the others. */
const DAYS_MAX = 20_000;
const ZONES_MAX = 20;

/** As long as the longest name of a zone, and more. */
export const TIME_ZONE_MAX_LENGTH = 60;

/** Finds out when it was a given local time in one time zone. */
class LocalTimes {
  readonly #zone: string;
  /** How far the zone is ahead of UTC on a day, or `undefined` if that changes in the course of the day. */
  readonly #offsets = new Map<number, number | undefined>();

  constructor(zone: string) {
    this.#zone = zone;
  }

  /** A local time is given as if it were UTC. One that was skipped is taken for the time after, and one that came twice for the first. */
  toTime(local: number): number {
    const day = Math.floor(local / DAY_MS);
    const offset = this.#offsetOn(day);
    const time = offset === undefined ? this.#find(local) : local - offset;
    // East of Greenwich, the first day of 1970 began before 1970 did in UTC.
    return local >= 0 ? Math.max(0, time) : time;
  }

  /** Asked of the time zone once for a day, because files have many times and few days. */
  #offsetOn(day: number): number | undefined {
    if (this.#offsets.has(day)) return this.#offsets.get(day);
    if (this.#offsets.size === DAYS_MAX) this.#offsets.clear();
    const [begin, end] = [day * DAY_MS, (day + 1) * DAY_MS];
    const offset = begin - this.#find(begin);
    const found = end - this.#find(end) === offset ? offset : undefined;
    this.#offsets.set(day, found);
    return found;
  }

  #find(local: number): number {
    const asUtc = Temporal.Instant.fromEpochMilliseconds(local).toZonedDateTimeISO('UTC');
    return asUtc.toPlainDateTime().toZonedDateTime(this.#zone).epochMilliseconds;
  }
}

const zones = new Map<string, LocalTimes>();

/** When it was a local time, which is given as if it were UTC, in a time zone. */
export function timeIn(zone: string, local: number): number {
  let found = zones.get(zone);
  if (!found) {
    if (zones.size === ZONES_MAX) zones.clear();
    found = new LocalTimes(zone);
    zones.set(zone, found);
  }
  return found.toTime(local);
}

/** Returns the name of a time zone that exists. */
export function requireTimeZone(name: string): string {
  const zone = name.trim();
  try {
    if (zone.length > TIME_ZONE_MAX_LENGTH) throw new RangeError('The name is too long.');
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone);
    return zone;
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    const message = 'time_zone must be the name of a time zone, such as Europe/Zurich or UTC.';
    throw new Failure('bad_parameter', message, { cause });
  }
}
