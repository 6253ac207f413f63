import { Client, DatabaseError } from 'pg';
import { Failure } from '../../../domain/failure.ts';
import { COMMAND_TIMEOUTS } from './bounded-pool.ts';
import { sqlStateOf } from './unavailable-errors.ts';

const OLDEST_VERSION = 15;

/** Why a server refuses the connection, by SQLSTATE. These are errors in the configuration, unlike an unreachable server. */
const REFUSALS: Record<string, string> = {
  '28P01': 'refuses the user name or the password',
  '28000': 'does not allow this user to connect',
  '3D000': 'does not exist; create it first',
  '42501': 'does not give this user the necessary rights',
};

/**
 * Fails with one line, which does not contain the password, if the database cannot be used: with `bad_parameter` if its URL
 * or configuration is wrong, and with `unavailable` if it cannot be reached at the moment.
 */
export async function requireUsable(url: string, use: 'primary' | 'replica'): Promise<void> {
  const address = addressOf(url);
  const { version, encoding, isReplica } = await inspect(url, address);
  if (version < OLDEST_VERSION * 10_000) {
    throw unusable(`${address} runs PostgreSQL ${Math.floor(version / 10_000)}; ${OLDEST_VERSION} or later is needed`);
  }
  if (encoding !== 'UTF8') throw unusable(`${address} has the encoding ${encoding}; UTF8 is needed`);
  if (use === 'primary' && isReplica) throw unusable(`${address} is a replica and cannot be written to`);
}

async function inspect(url: string, address: string) {
  try {
    const client = new Client({
      connectionString: url,
      connectionTimeoutMillis: COMMAND_TIMEOUTS.connectionMs,
      query_timeout: COMMAND_TIMEOUTS.connectionMs,
    });
    // connect() reports the same error, which is handled below.
    client.on('error', () => {});
    await client.connect();
    try {
      // A pooler that does not support transactions cannot be used, and fails here.
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
    throw refusalOf(error, url) ?? unreachable(error, address);
  }
}

/** The failure for a refused connection, or `undefined` if the error has another cause. */
export function refusalOf(error: unknown, url: string): Failure | undefined {
  const reason = REFUSALS[sqlStateOf(error) ?? ''];
  return reason === undefined ? undefined : unusable(`${addressOf(url)} ${reason}`, error);
}

function unreachable(error: unknown, address: string): Failure {
  if (error instanceof DatabaseError) {
    return new Failure('unavailable', `The database ${address} refuses the connection: ${error.message}.`, {
      cause: error,
    });
  }
  const code = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
  return new Failure('unavailable', `The database ${address} cannot be reached${code}.`, { cause: error });
}

function unusable(text: string, cause?: unknown): Failure {
  return new Failure('bad_parameter', `The database ${text}.`, { cause });
}

/** Host, port and database name: enough to find a mistake, without the password. */
export function addressOf(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url);
  const host = hostname || searchParams.get('host') || 'localhost';
  return `${host}:${port || searchParams.get('port') || '5432'}${pathname}`;
}
