import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Lease, LeaseRequest } from '../../../domain/credentials/index.ts';
import { RATE_LIMITS_TABLE, type Tables } from '../../tables.ts';
import type { StoredBuckets } from '../engine.ts';
import type { Timeouts } from './bounded-pool.ts';

/**
 * Short, because no call waits for a lease for long, and a connection that does not answer should soon be replaced. The
 * connection is kept open, because opening one takes longer than a call waits.
 */
export const LEASE_TIMEOUTS: Timeouts = {
  connectionMs: 500,
  statementMs: 500,
  idleInTransactionMs: 2000,
  unusedMs: 0,
};

/** How many rows are looked at in one step of a sweep. It takes some milliseconds, so a call that needs one of them hardly waits. */
const ROWS_PER_STEP = 2000;

/** A node that stops sweeps once more, so it must not take long. The next sweep continues where this one ends. */
const SWEEP_MAX_MS = 2000;

const TABLE = sql.table(RATE_LIMITS_TABLE);

/** Only the clock of the server counts, so that the clocks of the nodes may differ. */
const NOW_MS = sql`(extract(epoch from clock_timestamp()) * 1000)::double precision`;

/** How long the bucket takes to be full again, before the lease. It is never longer than for an empty bucket. */
const UNTIL_FULL_MS = sql`
  least(
    greatest(held.until_full_ms - (excluded.asked_at - held.asked_at), 0),
    excluded.burst * excluded.interval_ms
  )`;

/** As much as is wanted, and as there is. The small number allows for rounding. */
const GRANTED = sql`
  greatest(0, least(excluded.granted, floor(excluded.burst - ${UNTIL_FULL_MS} / excluded.interval_ms + 1e-6)))`;

/**
 * The buckets that all nodes share, with the arithmetic of `gcra.ts`. A lease is one statement, whatever the number of buckets,
 * and it notifies no other node, because nothing that is cached depends on it. The rows contain what was last asked for and
 * granted because the statement can return only what it has stored.
 */
export class PostgresBuckets implements StoredBuckets {
  readonly #leases: Kysely<Tables>;
  readonly #sweeps: Kysely<Tables>;
  /** The last bucket that a sweep has looked at. Empty if the next one starts from the beginning. */
  #sweptTo = '';

  /** Sweeps use other connections than leases, which must not wait for them. */
  constructor(leases: Kysely<Tables>, sweeps: Kysely<Tables>) {
    this.#leases = leases;
    this.#sweeps = sweeps;
  }

  async lease(requests: readonly LeaseRequest[]): Promise<Lease[]> {
    const { rows } = await leaseStatement(requests).execute(this.#leases);
    const leases = new Map(rows.map(({ bucket, granted, untilFullMs }) => [bucket, { granted, untilFullMs }]));
    return requests.map(({ bucket }) => leases.get(bucket) ?? notLeased(bucket));
  }

  async removeFull(): Promise<void> {
    const endsAt = performance.now() + SWEEP_MAX_MS;
    do this.#sweptTo = await this.#sweepStep(this.#sweptTo);
    while (this.#sweptTo !== '' && performance.now() < endsAt);
  }

  /** Returns the bucket up to which it has looked, or an empty text after the last one. */
  async #sweepStep(after: string): Promise<string> {
    const { rows } = await sql<{ last: string | null }>`
      select max(bucket) as last
      from (select bucket from ${TABLE} where bucket > ${after} order by bucket limit ${ROWS_PER_STEP}) as step`.execute(
      this.#sweeps,
    );
    const last = rows[0]?.last;
    if (!last) return '';
    await removeFullStatement(after, last).execute(this.#sweeps);
    return last;
  }
}

/** A bucket that a lease has locked is in use. Waiting for it could deadlock, because rows are not locked in the order of names. */
function removeFullStatement(after: string, last: string): RawBuilder<unknown> {
  return sql`
    delete from ${TABLE} where ctid = any(array(
      select ctid from ${TABLE}
      where bucket > ${after} and bucket <= ${last} and asked_at + until_full_ms < ${NOW_MS}
      for update skip locked
    ))`;
}

/** In the order of the names, because nodes that lease from the same buckets could otherwise deadlock. */
function leaseStatement(requests: readonly LeaseRequest[]): RawBuilder<Lease & { bucket: string }> {
  const buckets = requests.map(({ bucket }) => bucket);
  const intervals = requests.map(({ limit }) => 1000 / limit.perSecond);
  const bursts = requests.map(({ limit }) => limit.burst);
  const wanted = requests.map((request) => request.wanted);
  return sql`
    insert into ${TABLE} as held (bucket, asked_at, until_full_ms, interval_ms, burst, granted)
    select bucket, now_ms, least(wanted, burst) * interval_ms, interval_ms, burst, least(wanted, burst)
    from unnest(${buckets}::text[], ${intervals}::double precision[], ${bursts}::double precision[], ${wanted}::integer[])
      as asked (bucket, interval_ms, burst, wanted), (select ${NOW_MS} as now_ms offset 0) as clock
    order by bucket collate "C"
    on conflict (bucket) do update set
      asked_at = excluded.asked_at,
      until_full_ms = ${UNTIL_FULL_MS} + ${GRANTED} * excluded.interval_ms,
      interval_ms = excluded.interval_ms,
      burst = excluded.burst,
      granted = ${GRANTED}
    returning bucket, granted, until_full_ms as "untilFullMs"`;
}

function notLeased(bucket: string): never {
  throw new Error(`The database returned no lease for ${bucket.split(':')[0]}.`);
}
