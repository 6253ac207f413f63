import { sql } from 'kysely';
import type { SealedChanges, SealedState, SealedValue } from '../domain/installation-secrets.ts';
import type { Engine, ReadOnlyDatabase } from './engines/engine.ts';
import { areRemainsRemoved, INSTALLATION_ID, noteRemainsRemoved } from './installation.ts';
import type { Tables } from './tables.ts';
import type { KeepBooks, UnitOfWork } from './unit-of-work.ts';

interface SealedColumn {
  table: keyof Tables;
  column: string;
  /** The primary key of the table. */
  key: string;
}

/** Every encrypted column. A new one has to be added here, so that it is encrypted again when the secret changes. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: 'members', column: 'second_factor_secret', key: 'id' },
  { table: 'signing_keys', column: 'sealed_private_jwk', key: 'kid' },
];

export function openSealedState(engine: Engine, keepBooks: KeepBooks): SealedState {
  return {
    secretId: () => readSecretId(engine.reads),

    removeRemains: async () => {
      if (await areRemainsRemoved(engine.reads)) return;
      await engine.rewrite(SEALED_COLUMNS);
      await keepBooks(noteRemainsRemoved);
    },
  };
}

export function sealedChangesIn({ db }: UnitOfWork): SealedChanges {
  return {
    secretId: () => readSecretId(db),

    setSecretId: async (id) => {
      await db.updateTable('installation').set({ secret_id: id }).where('id', '=', INSTALLATION_ID).execute();
    },

    all: () => readSealedValues(db),

    replace: async ({ place, text: before }, text) => {
      const { table, column } = place;
      const key = SEALED_COLUMNS.find((each) => each.table === table && each.column === column)?.key ?? '';
      const isUnchanged = sql`${sql.ref(key)} = ${place.row} and ${sql.ref(column)} = ${before}`;
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${text} where ${isUnchanged}`.execute(db);
    },
  };
}

export async function readSealedValues(db: ReadOnlyDatabase): Promise<SealedValue[]> {
  const values: SealedValue[] = [];
  for (const { table, column, key } of SEALED_COLUMNS) {
    const { rows } = await sql<{ row: string | number; text: string }>`
      select ${sql.ref(key)} as "row", ${sql.ref(column)} as text from ${sql.table(table)}
      where ${sql.ref(column)} is not null order by ${sql.ref(key)}`.execute(db);
    for (const { row, text } of rows) values.push({ place: { table, column, row }, text });
  }
  return values;
}

export async function readSecretId(db: ReadOnlyDatabase): Promise<string | null> {
  const row = await db
    .selectFrom('installation')
    .where('id', '=', INSTALLATION_ID)
    .select('secret_id')
    .executeTakeFirst();
  return row?.secret_id ?? null;
}
