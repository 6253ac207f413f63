import { Client, DatabaseError } from 'pg';
import { Failure } from '../../../domain/failure.ts';
import { stateOf } from './failures.ts';
import { WORKING } from './pool.ts';

const OLDEST_VERSION = 15;

/** Why a server turns us away, by SQLSTATE. Each is a matter of configuration, unlike a server that is not there. */
const REFUSALS: Record<string, string> = {
  '28P01': 'refuses the user name or the password',
  '28000': 'does not let this user in',
  '3D000': 'does not exist; create it first',
  '42501': 'does not give this user the rights that it needs',
};

/**
 * Says in one line, and without the password, why a database cannot be used: `bad_parameter` when its address or its
 * state must be changed by somebody, `unavailable` when it is only not there at the moment.
 */
export async function requireUsable(url: string, use: 'primary' | 'replica'): Promise<void> {
  const place = placeOf(url);
  const { version, encoding, isReplica } = await inspect(url, place);
  if (version < OLDEST_VERSION * 10_000) {
    throw unusable(`${place} runs PostgreSQL ${Math.floor(version / 10_000)}; ${OLDEST_VERSION} or later is needed`);
  }
  if (encoding !== 'UTF8') throw unusable(`${place} has the encoding ${encoding}; UTF8 is needed`);
  if (use === 'primary' && isReplica) throw unusable(`${place} is a replica and cannot be written to`);
}

async function inspect(url: string, place: string) {
  try {
    const client = new Client({
      connectionString: url,
      connectionTimeoutMillis: WORKING.connectionMs,
      query_timeout: WORKING.connectionMs,
    });
    // Also said by connect(), whose word is heard below.
    client.on('error', () => {});
    await client.connect();
    try {
      // A pooler that allows no transactions is of no use, and says so here.
      await client.query('begin');
      const { rows } = await client.query<{ version: string; encoding: string; replica: boolean }>(
        `select current_setting('server_version_num') as version, current_setting('server_encoding') as encoding,
                pg_is_in_recovery() as replica`,
      );
      await client.query('commit');
      const [row] = rows;
      if (!row) throw new Error('no answer');
      return { version: Number(row.version), encoding: row.encoding, isReplica: row.replica };
    } finally {
      await client.end();
    }
  } catch (error) {
    throw refused(error, url) ?? unreachable(error, place);
  }
}

/** The failure that tells why the server refuses us, if that is what the error is about. */
export function refused(error: unknown, url: string): Failure | undefined {
  const reason = REFUSALS[stateOf(error) ?? ''];
  return reason === undefined ? undefined : unusable(`${placeOf(url)} ${reason}`, error);
}

function unreachable(error: unknown, place: string): Failure {
  if (error instanceof DatabaseError) {
    return new Failure('unavailable', `The database ${place} turns us away: ${error.message}.`, { cause: error });
  }
  const code = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
  return new Failure('unavailable', `The database ${place} cannot be reached${code}.`, { cause: error });
}

function unusable(text: string, cause?: unknown): Failure {
  return new Failure('bad_parameter', `The database ${text}.`, { cause });
}

/** Host, port and name: what a person needs to find the mistake, and nothing that must stay secret. */
export function placeOf(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url);
  const host = hostname || searchParams.get('host') || 'localhost';
  return `${host}:${port || searchParams.get('port') || '5432'}${pathname}`;
}
