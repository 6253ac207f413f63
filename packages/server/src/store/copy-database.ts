import { createHash, type Hash } from 'node:crypto';
import { sql } from 'kysely';
import { Failure } from '../domain/failure.ts';
import { InstallationSecrets, SecretUnavailable } from '../domain/installation-secrets.ts';
import { requireSecret } from '../domain/manage-secret.ts';
import type { InstallationSecret, SealedPlace } from '../domain/sealed-text.ts';
import { fillDatabase } from './change.ts';
import { addWords } from './clients/index.ts';
import type { Engine, ReadOnlyDatabase, WritingEngine } from './engines/engine.ts';
import { INSTALLATION_ID, noteRemainsRemoved } from './installation.ts';
import { openEngine } from './open-store.ts';
import { requireDatabase } from './require-database.ts';
import { readSecretId, SEALED_COLUMNS } from './sealed-columns.ts';
import { everySecret, missingSecret, secretSource } from './secret-source.ts';
import { PRIMARY_KEYS, type Tables, WORDS_TABLE } from './tables.ts';

export interface CopiedTable {
  table: string;
  rows: number;
  /** SHA-256 over all rows, in the order of the primary key. Encrypted text is decrypted, so that both sides can be compared. */
  digest: string;
}

/** Called with the number of rows of a table that have been copied, or checked, so far. */
export type CopyProgress = (step: 'copied' | 'checked', table: string, rows: number) => void;

export interface CopySecrets {
  /** The secrets of the settings. The source may also have its secret in a file. */
  settings: readonly InstallationSecret[];
  /** The secret of the target. Without it, the one that a service with the same settings would use for the target. */
  target?: InstallationSecret | undefined;
}

type TableName = keyof Tables;
type Row = Record<string, unknown>;

const ROWS_AT_ONCE = 5000;
/**
 * The first two describe the database itself: a copy has an epoch and a schema of its own. Pieces of files exist only while
 * their import is not over, and then nothing is copied.
 */
const NOT_COPIED: readonly TableName[] = ['installation', 'compatibility', 'import_pieces'];
const TABLE_NAMES = (Object.keys(PRIMARY_KEYS) as TableName[]).filter((table) => !NOT_COPIED.includes(table));

/**
 * Migrates both databases, so that they have the same tables, and copies all data. What is encrypted is decrypted with the
 * secret of the source and encrypted with that of the target.
 */
export async function copyDatabase(
  fromUrl: string,
  toUrl: string,
  progress: CopyProgress,
  secrets: CopySecrets,
): Promise<CopiedTable[]> {
  if (!toUrl.startsWith('sqlite:') && !secrets.target && secrets.settings.length === 0) {
    throw new Failure('bad_parameter', `The copy has no secret: ${missingSecret().message}`);
  }
  await requireDatabase(fromUrl, { allKnown: true, withoutSecret: secrets.settings.length === 0 });
  await requireDatabase(toUrl, { mayCreate: true, allKnown: true });
  const from = openEngine(fromUrl);
  try {
    await from.migrate();
    const to = openEngine(toUrl);
    try {
      await to.migrate();
      const opening = await openingOf(from, new InstallationSecrets(everySecret(fromUrl, secrets.settings)));
      const target = secrets.target ?? new InstallationSecrets(secretSource(toUrl, secrets.settings)).first();
      return await copyEverything(from, to, { opening, target }, progress);
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
}

/**
 * Copies one snapshot into an empty database and reads it back to compare. It is one transaction: if the copy fails or
 * differs, the target stays empty.
 */
async function copyEverything(
  from: Engine,
  to: WritingEngine,
  { opening, target: secret }: { opening: Translate; target: InstallationSecret },
  progress: CopyProgress,
): Promise<CopiedTable[]> {
  const source = await from.openSnapshot();
  try {
    await requireNoOpenJobs(source.db);
    return await fillDatabase(to, async (target) => {
      await requireEmpty(target);
      const copied: CopiedTable[] = [];
      for (const table of TABLE_NAMES) {
        const original = translated(readAll(source.db, table), table, opening);
        const sent = await digestOf(original, async (rows, soFar) => {
          const sealed = rows.map((row) => translateRow(row, table, (place, text) => secret.seal(place, text)));
          await to.insertMany(target, table, sealed as never);
          // Derived from the clients, and stored in another way by each engine.
          if (table === 'clients') await addWords({ engine: to, db: target }, rows as never);
          progress('copied', table, soFar);
        });
        const copy = translated(readAll(target, table), table, (place, text) => secret.open(place, text));
        const arrived = await digestOf(copy, (_rows, soFar) => progress('checked', table, soFar));
        if (arrived.digest !== sent.digest) {
          throw new Failure('conflict', `The copy of ${table} differs from the original. The target was left empty.`);
        }
        copied.push({ table, ...arrived });
      }
      const chain = await source.db
        .selectFrom('installation')
        .select(['activity_count', 'activity_hash'])
        .where('id', '=', INSTALLATION_ID)
        .executeTakeFirstOrThrow();
      await target
        .updateTable('installation')
        .set({ secret_id: secret.id, ...chain })
        .where('id', '=', INSTALLATION_ID)
        .execute();
      // Nothing was ever stored in the copy in the clear, so its first start need not rewrite it.
      await noteRemainsRemoved(target);
      if (to.dialect === 'postgres') {
        await setSequences(target);
        // Without statistics, the first lists would have bad query plans until the server analyzes the tables by itself.
        const analyzed = [...TABLE_NAMES, WORDS_TABLE];
        await sql`analyze ${sql.join(analyzed.map((table) => sql.table(table)))}`.execute(target);
      }
      return copied;
    });
  } finally {
    await source.close();
  }
}

/** Seals or opens one text. */
type Translate = (place: SealedPlace, text: string) => string;

/** A database on which no service has been started since encryption exists has its text in the clear. */
async function openingOf(from: Engine, secrets: InstallationSecrets): Promise<Translate> {
  const id = await readSecretId(from.reads);
  if (id === null) return (_place, text) => text;
  // Fails before anything is copied if the secret is not there.
  try {
    requireSecret(secrets, id);
  } catch (error) {
    if (!(error instanceof SecretUnavailable)) throw error;
    throw new Failure('conflict', `The database to copy cannot be read. ${error.message}`, { cause: error });
  }
  return (place, text) => secrets.open(place, text);
}

async function* translated(pieces: AsyncIterable<Row[]>, table: TableName, translate: Translate) {
  for await (const rows of pieces) yield rows.map((row) => translateRow(row, table, translate));
}

function translateRow(row: Row, table: TableName, translate: Translate): Row {
  const copy = { ...row };
  for (const { column, key } of SEALED_COLUMNS.filter((each) => each.table === table)) {
    const text = row[column];
    if (typeof text === 'string') copy[column] = translate({ table, column, row: String(row[key]) }, text);
  }
  return copy;
}

async function requireEmpty(db: ReadOnlyDatabase): Promise<void> {
  for (const table of TABLE_NAMES) {
    for await (const _rows of readAll(db, table)) {
      throw new Failure('conflict', `The target is not empty: ${table} has rows. Nothing was copied.`);
    }
  }
}

async function requireNoOpenJobs(db: ReadOnlyDatabase): Promise<void> {
  const imports = await db.selectFrom('import_jobs').where('state', 'in', OPEN).select('id').execute();
  const changes = await db.selectFrom('bulk_changes').where('state', 'in', OPEN).select('id').execute();
  const open = [
    ...(imports.length > 0 ? [imports.length === 1 ? 'an import' : `${imports.length} imports`] : []),
    ...(changes.length > 0 ? [changes.length === 1 ? 'a change' : `${changes.length} changes`] : []),
  ];
  if (open.length === 0) return;
  throw new Failure(
    'conflict',
    `The service has not finished ${open.join(' and ')} of clients. Let it finish, or cancel them, before you copy the database.`,
  );
}

const OPEN = ['queued', 'running'];

/** Reads the rows of a table in batches, in the order of the primary key. */
async function* readAll(db: ReadOnlyDatabase, table: TableName): AsyncGenerator<Row[]> {
  const key: readonly string[] = PRIMARY_KEYS[table];
  const columns = sql.join(key.map((column) => sql.ref(column)));
  for (let last: Row | undefined; ; ) {
    const values = sql.join(key.map((column) => last?.[column]));
    const after = last ? sql`where (${columns}) > (${values})` : sql``;
    const page = sql<Row>`select * from ${sql.table(table)} ${after} order by ${columns} limit ${ROWS_AT_ONCE}`;
    const { rows } = await page.execute(db);
    if (rows.length > 0) yield rows;
    if (rows.length < ROWS_AT_ONCE) return;
    last = rows.at(-1);
  }
}

async function digestOf(
  pieces: AsyncIterable<Row[]>,
  use: (rows: Row[], soFar: number) => void | Promise<void>,
): Promise<{ rows: number; digest: string }> {
  const hash = createHash('sha256');
  let count = 0;
  for await (const rows of pieces) {
    for (const row of rows) addRow(hash, row);
    count += rows.length;
    await use(rows, count);
  }
  return { rows: count, digest: hash.digest('hex') };
}

/** Sorted by column name, because the order of the columns may differ between engines. */
function addRow(hash: Hash, row: Row): void {
  hash.update(JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1))));
}

/** Sets the sequences, so that new ids continue after the copied ones. */
async function setSequences(db: ReadOnlyDatabase): Promise<void> {
  const { rows } = await sql<{ table: string; column: string }>`
    select table_name as "table", column_name as "column" from information_schema.columns
    where table_schema = current_schema() and is_identity = 'YES'`.execute(db);
  for (const { table, column } of rows) {
    const highest = sql`(select max(${sql.ref(column)}) from ${sql.table(table)})`;
    await sql`select setval(pg_get_serial_sequence(${table}, ${column}), ${highest})`.execute(db);
  }
}
