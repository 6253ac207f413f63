import { sql } from 'kysely';
import type { KeyDirectoryStore, KeyVersions } from '../../domain/credentials/key-directory.ts';
import type { KeyFacts } from '../../domain/credentials/key-facts.ts';
import type { Engine, ReadOnlyDatabase } from '../engines/engine.ts';
import { networksIn } from './api-keys.ts';

/** On SQLite, nothing else happens while a slice is read, which takes about 20 milliseconds. */
const KEYS_PER_SLICE = 2000;

/** Reads the keys of all workspaces, for the directory that every process has in memory. */
export function openKeyDirectory(engine: Engine): KeyDirectoryStore {
  return {
    stamp: () => readStamp(engine.reads),

    versions: () => engine.snapshot(readVersions),

    changedSince: (newest) =>
      engine.snapshot(async (db) => {
        const versions = await readVersions(db);
        const keyIds = await newerKeys(engine, db, newest, versions.newest);
        return { versions, facts: await readFacts(engine, db, keyIds) };
      }),

    allFacts: async function* () {
      let after: Place | undefined = BEFORE_ALL;
      while (after) {
        const place: Place = after;
        const facts = await engine.snapshot((db) => readSlice(db, place));
        yield facts;
        after = facts.length === KEYS_PER_SLICE ? facts.at(-1) : undefined;
      }
    },

    factsOf: (keyIds) => engine.snapshot((db) => readFacts(engine, db, keyIds)),
  };
}

/** Where a slice begins or ends. */
type Place = Pick<KeyFacts, 'workspaceId' | 'keyId'>;

const BEFORE_ALL: Place = { workspaceId: 0, keyId: '' };

/** The version of a key only grows, so the sum is larger after every change. */
async function readStamp(db: ReadOnlyDatabase): Promise<string> {
  const { keys, versions } = await db
    .selectFrom('api_keys')
    .select(({ fn }) => [fn.countAll<number>().as('keys'), fn.sum<number | null>('version').as('versions')])
    .executeTakeFirstOrThrow();
  return `${keys}.${versions ?? 0}`;
}

async function readVersions(db: ReadOnlyDatabase): Promise<KeyVersions> {
  const rows = await db
    .selectFrom('api_keys')
    .select(({ fn }) => ['workspace_id', fn.max('version').as('newest')])
    .groupBy('workspace_id')
    .execute();
  return { stamp: await readStamp(db), newest: new Map(rows.map((row) => [row.workspace_id, row.newest])) };
}

/**
 * A change gives its keys the next version of the workspace, which is locked meanwhile, so no key gets a version that is older
 * than one that was already read.
 */
async function newerKeys(
  engine: Engine,
  db: ReadOnlyDatabase,
  known: KeyVersions['newest'],
  newest: KeyVersions['newest'],
): Promise<string[]> {
  const changed: [workspaceId: number, known: number][] = [];
  for (const [workspaceId, version] of newest) {
    const before = known.get(workspaceId) ?? -1;
    if (version > before) changed.push([workspaceId, before]);
  }
  if (changed.length === 0) return [];
  const isNewer = sql`k.workspace_id = changed.workspace_id and k.version > changed.known`;
  const { rows } = await sql<{ id: string }>`
    select k.id from ${engine.numberRows(['workspace_id', 'known'], changed)} as changed
    ${engine.lookUp('api_keys', 'k', isNewer)}`.execute(db);
  return rows.map(({ id }) => id);
}

async function readFacts(engine: Engine, db: ReadOnlyDatabase, keyIds: readonly string[]): Promise<KeyFacts[]> {
  const keys = await selectKeys(db).where('id', 'in', engine.listOf(keyIds)).execute();
  const workspaceIds = [...new Set(keys.map((key) => key.workspace_id))];
  const secrets = selectSecrets(db)
    .where('workspace_id', 'in', engine.listOf(workspaceIds))
    .where('key_id', 'in', engine.listOf(keyIds));
  return toFacts(keys, await secrets.execute());
}

async function readSlice(db: ReadOnlyDatabase, after: Place): Promise<KeyFacts[]> {
  const keys = await selectKeys(db)
    .where(({ eb, refTuple, tuple }) => eb(refTuple('workspace_id', 'id'), '>', tuple(after.workspaceId, after.keyId)))
    .orderBy('workspace_id')
    .orderBy('id')
    .limit(KEYS_PER_SLICE)
    .execute();
  const last = keys.at(-1);
  if (!last) return [];
  const secrets = await selectSecrets(db)
    .where(({ eb, refTuple, tuple }) =>
      eb.and([
        eb(refTuple('workspace_id', 'key_id'), '>', tuple(after.workspaceId, after.keyId)),
        eb(refTuple('workspace_id', 'key_id'), '<=', tuple(last.workspace_id, last.id)),
      ]),
    )
    .execute();
  return toFacts(keys, secrets);
}

function selectKeys(db: ReadOnlyDatabase) {
  return db
    .selectFrom('api_keys')
    .select(['workspace_id', 'id', 'allowed_networks', 'rate_limit', 'expires_at', 'revoked_at', 'version']);
}

function selectSecrets(db: ReadOnlyDatabase) {
  return db
    .selectFrom('api_key_secrets')
    .where('ended_at', 'is', null)
    .select(['key_id', 'number', 'ends_at'])
    .orderBy('number');
}

type KeyRow = Awaited<ReturnType<ReturnType<typeof selectKeys>['execute']>>[number];
type SecretRow = Awaited<ReturnType<ReturnType<typeof selectSecrets>['execute']>>[number];

function toFacts(keys: readonly KeyRow[], secrets: readonly SecretRow[]): KeyFacts[] {
  const ofKey = Map.groupBy(secrets, (secret) => secret.key_id);
  return keys.map((key) => ({
    keyId: key.id,
    workspaceId: key.workspace_id,
    isRevoked: key.revoked_at !== null,
    expiresAt: key.expires_at,
    secrets: (ofKey.get(key.id) ?? []).map(({ number, ends_at }) => ({ number, endsAt: ends_at })),
    allowedNetworks: networksIn(key.allowed_networks),
    rateLimit: key.rate_limit,
    version: key.version,
  }));
}
