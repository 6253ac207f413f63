import { Pool } from 'pg';
import { openReader } from '../../packages/server/src/store/engines/sqlite/open-file.ts';

/** An array, which the drivers make faster than an object. */
export type Row = unknown[];

/** A statement that is prepared once. It names its parameters $1, $2 and so on, each once and in this order. */
export type Statement = (...values: (string | number)[]) => Promise<Row[]>;

/** The same driver that the service uses, and nothing else. */
export interface Driver {
  prepare(sql: string): Statement;
}

/** As many connections as the service opens by default. */
const POOL_SIZE = 10;

export function openDriver(databaseUrl: string): Driver {
  return databaseUrl.startsWith('sqlite:')
    ? openSqlite(databaseUrl.slice('sqlite:'.length))
    : openPostgres(databaseUrl);
}

function openSqlite(file: string): Driver {
  // With the same settings as in the service, so that both have caches of the same size.
  const database = openReader(file);
  return {
    prepare: (sql) => {
      const statement = database.prepare(sql.replaceAll(/\$\d+/g, '?'));
      statement.setReturnArrays(true);
      return async (...values) => statement.all(...values) as unknown as Row[];
    },
  };
}

function openPostgres(connectionString: string): Driver {
  const pool = new Pool({ connectionString, max: POOL_SIZE });
  let prepared = 0;
  return {
    prepare: (text) => {
      const name = `bare_${++prepared}`;
      return async (...values) => (await pool.query<Row>({ name, text, values, rowMode: 'array' })).rows;
    },
  };
}
