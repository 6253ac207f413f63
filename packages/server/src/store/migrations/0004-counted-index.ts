import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Dialect } from './dialect.ts';

/** The sizes of parts of the lists, from which totals and page positions are computed without counting. */
export const countedIndex = (dialect: Dialect): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    const table = db.schema
      .createTable('client_runs')
      .addColumn('workspace_id', 'integer', (column) => column.notNull())
      .addColumn('level', 'smallint', (column) => column.notNull())
      .addColumn('group_id', 'integer', (column) => column.notNull())
      .addColumn('request_status', 'smallint', (column) => column.notNull())
      .addColumn('client_type', 'smallint', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('id', 'bigint', (column) => column.notNull())
      .addColumn('size', 'integer', (column) => column.notNull())
      .addColumn('version', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('client_runs_pk', [
        'workspace_id',
        'level',
        'group_id',
        'request_status',
        'client_type',
        'created_at',
        'id',
      ]);
    await (dialect === 'sqlite' ? table.modifyEnd(sql`without rowid`) : table).execute();
  },
});
