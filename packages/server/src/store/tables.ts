import type { Generated } from 'kysely';

/** The schema for the query builder. Times are milliseconds since 1970. `_folded` text is used for comparisons and never shown. */
export interface Tables {
  accounts: AccountsTable;
  members: MembersTable;
  workspaces: WorkspacesTable;
  api_keys: ApiKeysTable;
  api_key_secrets: ApiKeySecretsTable;
  signing_keys: SigningKeysTable;
  groups: GroupsTable;
  clients: ClientsTable;
  client_events: ClientEventsTable;
  erased_clients: ErasedClientsTable;
  client_assignments: ClientAssignmentsTable;
  assignment_events: AssignmentEventsTable;
  status_changes: StatusChangesTable;
  client_runs: ClientRunsTable;
  sessions: SessionsTable;
  one_time_links: OneTimeLinksTable;
  mails: MailsTable;
  passkeys: PasskeysTable;
  answered_challenges: AnsweredChallengesTable;
  member_identities: MemberIdentitiesTable;
  sign_in_attempts: SignInAttemptsTable;
  recovery_codes: RecoveryCodesTable;
  key_usage: KeyUsageTable;
  key_listings: KeyListingsTable;
  saved_views: SavedViewsTable;
  activity_entries: ActivityEntriesTable;
  activity_cuts: ActivityCutsTable;
  kept_answers: KeptAnswersTable;
  import_jobs: ImportJobsTable;
  import_pieces: ImportPiecesTable;
  import_rejects: ImportRejectsTable;
  import_clients: ImportClientsTable;
  bulk_changes: BulkChangesTable;
  bulk_change_parts: BulkChangePartsTable;
  installation: InstallationTable;
  compatibility: CompatibilityTable;
}

/** Every table with its primary key, after the tables that it refers to. A missing table is a compile error. */
export const PRIMARY_KEYS = {
  accounts: ['id'],
  members: ['id'],
  workspaces: ['id'],
  api_keys: ['workspace_id', 'id'],
  api_key_secrets: ['workspace_id', 'key_id', 'number'],
  signing_keys: ['kid'],
  groups: ['workspace_id', 'id'],
  clients: ['workspace_id', 'id'],
  client_events: ['workspace_id', 'client_id', 'version'],
  erased_clients: ['workspace_id', 'reference_id'],
  client_assignments: ['workspace_id', 'client_id'],
  assignment_events: ['workspace_id', 'client_id', 'version'],
  status_changes: ['workspace_id', 'client_id', 'version'],
  client_runs: [
    'workspace_id',
    'level',
    'group_id',
    'request_status',
    'client_type',
    'client_status',
    'created_at',
    'id',
  ],
  sessions: ['account_id', 'member_id', 'id'],
  one_time_links: ['hash'],
  mails: ['id'],
  passkeys: ['id'],
  answered_challenges: ['hash'],
  member_identities: ['account_id', 'issuer', 'subject'],
  sign_in_attempts: ['source'],
  recovery_codes: ['account_id', 'member_id', 'hash'],
  key_usage: ['workspace_id', 'key_id', 'hour'],
  key_listings: ['workspace_id', 'key_id', 'day', 'kind', 'filter'],
  saved_views: ['workspace_id', 'id'],
  activity_entries: ['chain', 'number'],
  activity_cuts: ['chain'],
  kept_answers: ['workspace_id', 'idempotency_key'],
  import_jobs: ['workspace_id', 'id'],
  import_pieces: ['workspace_id', 'import_id', 'number'],
  import_rejects: ['workspace_id', 'import_id', 'row_number'],
  import_clients: ['workspace_id', 'import_id', 'client_id'],
  bulk_changes: ['workspace_id', 'id'],
  bulk_change_parts: ['workspace_id', 'change_id', 'step'],
  installation: ['id'],
  compatibility: ['id'],
} as const satisfies { [Name in keyof Tables]: readonly (keyof Tables[Name])[] };

/** Buckets of rate limits. They are not data: the table exists on PostgreSQL only, and neither copies nor standbys have its rows. */
export const RATE_LIMITS_TABLE = 'rate_limits';

/**
 * The words of clients, which only an engine reads and writes: the tables differ, and a copy makes them anew. On SQLite, the
 * first is a full-text index, whose data is in the others.
 */
export const WORDS_TABLE = 'client_words';
export const WORDS_TABLES = ['', '_data', '_idx', '_config', '_vocab'].map((suffix) => `${WORDS_TABLE}${suffix}`);

/** A row that has a chain of activity entries holds the length of the chain and the hash of its last entry. */
interface ChainedTable {
  activity_count: Generated<number>;
  activity_hash: Generated<string>;
}

interface AccountsTable extends ChainedTable {
  id: Generated<number>;
  name: string;
  created_at: number;
  /** 1 if a client may only be declined with a reason, otherwise 0. */
  requires_decline_reason: Generated<number>;
  requires_second_factor: Generated<number>;
  viewers_may_export: Generated<number>;
}

interface MembersTable {
  id: Generated<number>;
  account_id: number;
  email: string;
  email_folded: string;
  /** The account and the folded email, because an email is unique in its account only. */
  email_in_account: string;
  role: string;
  password_hash: string;
  created_at: number;
  /** Encrypted, since the first start of a service that encrypts. */
  second_factor_secret: Generated<string | null>;
  /** Null until the secret has been confirmed with a code. From then on, a code is required at sign-in. */
  second_factor_at: Generated<number | null>;
  /** The last time step whose code was used, because a code may be used only once. */
  second_factor_step: Generated<number>;
  /** How many passkeys the member has. */
  passkeys: Generated<number>;
}

/** One account in one environment. Every change to the workspace first locks this row. */
interface WorkspacesTable extends ChainedTable {
  id: Generated<number>;
  account_id: number;
  environment: string;
  /** Increased by every change to the workspace's keys, groups or clients. */
  version: Generated<number>;
  last_group_id: Generated<number>;
  last_client_id: Generated<number>;
}

interface ApiKeysTable {
  workspace_id: number;
  id: string;
  name: string;
  note: string;
  /** Separated by spaces. */
  scopes: string;
  /** Separated by commas; empty if the key may be used from anywhere. */
  allowed_networks: string;
  /** As `parseRateLimit` reads it; null for the limit that all keys have. */
  rate_limit: string | null;
  created_at: number;
  created_by: string | null;
  expires_at: number | null;
  revoked_at: number | null;
  last_used_at: Generated<number | null>;
  last_used_from: Generated<string | null>;
  /** The version of the workspace after the last change to the key; 0 if it was last changed before versions were stored. */
  version: number;
}

/** The secrets of API keys, each as its SHA-256. */
interface ApiKeySecretsTable {
  workspace_id: number;
  key_id: string;
  /** Counts from 1 within the key. */
  number: number;
  hash: string;
  preview: string;
  created_at: number;
  /** When it ends because it was replaced. */
  ends_at: number | null;
  /** Set when it was ended at once. It has then ended whatever the clock of any machine says. */
  ended_at: number | null;
}

interface SigningKeysTable {
  kid: string;
  public_jwk: string;
  /** Encrypted. Null for a key from before encryption. */
  sealed_private_jwk: string | null;
  created_at: number;
  /** Null for the next key. */
  signs_from: number | null;
}

interface GroupsTable {
  workspace_id: number;
  id: number;
  token: string;
  name: string;
  name_folded: string;
  created_at: number;
}

/** `id` increases within the workspace in the order of insertion. Enumerations are small integers (codes.ts). */
export interface ClientsTable {
  workspace_id: number;
  id: number;
  reference_id: string;
  email: string;
  email_folded: string;
  name: string;
  client_type: number;
  group_id: number;
  request_status: number;
  client_status: number;
  created_at: number;
  /** The id that the firm's own program gave the client; null if it has none. */
  external_id: string | null;
}

/** One line of a client's history. `version` is that of the workspace, so a client has at most one line per change. */
interface ClientEventsTable {
  workspace_id: number;
  client_id: number;
  version: number;
  at: number;
  actor: string;
  kind: number;
  /** The changed fields as JSON; null if there are none or if they were erased. */
  changed_from: string | null;
  changed_to: string | null;
  /** Why it was changed, if somebody said so; null also if it was erased. */
  reason: Generated<string | null>;
  /** The version of the line before it, if the client was put back as it was before that one. */
  undoes: Generated<number | null>;
}

/** Who reviews a client. The row goes with the client and with the member. */
interface ClientAssignmentsTable {
  workspace_id: number;
  client_id: number;
  member_id: number;
  assigned_at: number;
}

/**
 * The lines about assignees in the histories of clients. They are not lines of `client_events`, because what the API shows
 * of a client depends on the last of those.
 */
interface AssignmentEventsTable {
  workspace_id: number;
  client_id: number;
  version: number;
  at: number;
  actor: string;
  /** The emails of members at that time; null for nobody. */
  assigned_from: string | null;
  assigned_to: string | null;
}

/** A request status that a member or a program has changed; imports are not recorded here. It outlives the client. */
interface StatusChangesTable {
  workspace_id: number;
  client_id: number;
  version: number;
  at: number;
  from_status: number;
  to_status: number;
  /** When the client had come to the former status. */
  entered_at: number;
  /** When the client had been added. */
  added_at: number;
}

/** An import that the service runs. Its numbers are those of the batches that are committed. */
interface ImportJobsTable {
  workspace_id: number;
  id: string;
  /** `storing` until all bytes are stored, and then a state that the API shows. */
  state: string;
  /** How to read the bytes and what to do with the rows, as JSON. */
  request: string;
  /** Who has asked for it, as JSON. */
  actor: string;
  created_at: number;
  started_at: number | null;
  ended_at: number | null;
  rows_read: number;
  /** How much of the file these are, in millionths, if that is known. */
  share_read: number | null;
  inserted: number;
  updated: number;
  unchanged: number;
  rejected: number;
  /** How many rows changed a status of clients, by status, as JSON; null if none did. */
  status_changes: string | null;
  /** Between which groups rows moved clients, and which groups they made, as JSON; null if they did neither. */
  group_changes: string | null;
  email_changes: string | null;
  emails_elsewhere: string | null;
  repeats: string | null;
  /** How many rows that were rejected have been corrected since. */
  corrected: Generated<number>;
  /** Why it failed. */
  reason: string | null;
  /** The run of it, and until when that lasts, unless it says that it goes on. While it is stored: when bytes arrived last. */
  runner: string | null;
  runs_until: number;
  /** How often it was begun since the last batch. */
  attempts: number;
}

/** The bytes of a file that is imported, until the import is over. */
interface ImportPiecesTable {
  workspace_id: number;
  import_id: string;
  number: number;
  bytes: Uint8Array;
}

/** A row that an import has rejected. Whose it is, is kept apart, so that it can be erased with the client. */
interface ImportRejectsTable {
  workspace_id: number;
  import_id: string;
  row_number: number;
  line: number;
  reason: string;
  /** As JSON. */
  cells: string;
  email_folded: string | null;
  reference_id: string | null;
  external_id: string | null;
}

/** A client that an import has added or changed. It may have been erased since. */
interface ImportClientsTable {
  workspace_id: number;
  import_id: string;
  client_id: number;
  /** 1 if it was added, and 0 if it was changed. */
  is_added: number;
}

/** A change of many clients that the service makes. Its numbers and its position are those of the transactions that are committed. */
interface BulkChangesTable {
  workspace_id: number;
  id: string;
  state: string;
  /** What to do with which clients, as JSON. */
  request: string;
  /** The references of the clients as a JSON array, or null if the request has a filter. */
  reference_ids: string | null;
  /** Who has asked for it, as JSON. */
  actor: string;
  created_at: number;
  started_at: number | null;
  ended_at: number | null;
  total: number;
  last_client_id: number;
  step: number;
  /** The position of the last client that it has come to. In a list of references, the second is how many are done. */
  position_at: number;
  position_id: number;
  changed: number;
  unchanged: number;
  refused: number;
  undoable: number;
  /** Between which positions the clients are that it has changed, and how many they are, as JSON. */
  span: string | null;
  /** Reasons with numbers and some references, as JSON. */
  refusals: string;
  /** The versions of the workspace in which it has changed clients, as ranges in JSON. */
  versions: string;
  /** Why it failed. */
  reason: string | null;
  /** The run of it, and until when that lasts, unless it says that it goes on. */
  runner: string | null;
  runs_until: number;
  /** How often it was begun since the last transaction. */
  attempts: number;
}

/** What one transaction of a bulk change has changed, as long as these clients are few. */
interface BulkChangePartsTable {
  workspace_id: number;
  change_id: string;
  step: number;
  /** As a JSON array. */
  reference_ids: string;
}

/** The answer to a request with an `Idempotency-Key`, which is repeated when the request is sent again. */
interface KeptAnswersTable {
  workspace_id: number;
  idempotency_key: string;
  /** Of the request; empty once the client was erased. */
  fingerprint: string;
  status: number;
  /** Names and values as JSON. */
  headers: string;
  /** Null once the client was erased. */
  body: string | null;
  /** The client that the answer is about, if any. */
  client_id: number | null;
  kept_at: number;
}

/** The fact that a client was erased, without personal data. */
interface ErasedClientsTable {
  workspace_id: number;
  reference_id: string;
  client_id: number;
  erased_at: number;
}

/** The counted index: the number of clients of a filter combination from this position to the next one of the same level. */
interface ClientRunsTable {
  workspace_id: number;
  /** 0 for runs, and 1 for sections, which consist of runs. */
  level: number;
  /** 0 in these four columns means any value. */
  group_id: number;
  request_status: number;
  client_type: number;
  client_status: number;
  created_at: number;
  id: number;
  size: number;
  /** The version of the workspace when the row was last written. */
  version: number;
}

interface SessionsTable {
  account_id: number;
  member_id: number;
  id: string;
  hash: string;
  created_at: number;
  proved_at: number;
  seen_at: number;
  address: string;
  agent: string;
}

interface OneTimeLinksTable {
  hash: string;
  id: string;
  purpose: string;
  account_id: number | null;
  email: string | null;
  role: string | null;
  created_by: string | null;
  created_at: number;
  expires_at: number;
  /** The hash of a second token, if the link was mailed. */
  mailed_hash: string | null;
}

/** Mail that waits to be sent. */
interface MailsTable {
  id: string;
  account_id: number | null;
  recipient: string;
  kind: string;
  /** What else the mail is about, as JSON. */
  details: string;
  created_at: number;
  due_at: number;
  attempts: number;
}

interface PasskeysTable {
  id: string;
  account_id: number;
  member_id: number;
  public_key: string;
  counter: number;
  name: string;
  created_at: number;
  used_at: number | null;
}

/** Challenges that no passkey may answer again. */
interface AnsweredChallengesTable {
  hash: string;
  expires_at: number;
}

/** Who a member is at a sign-in service. */
interface MemberIdentitiesTable {
  issuer: string;
  subject: string;
  account_id: number;
  member_id: number;
  created_at: number;
}

/** Failed attempts to sign in. */
interface SignInAttemptsTable {
  /** A hash of what they are counted by: an email, a network, a device or a member. */
  source: string;
  failures: number;
  last_at: number;
  wait_until: number;
}

/** Codes that a member can use instead of the second factor, each once. */
interface RecoveryCodesTable {
  account_id: number;
  member_id: number;
  hash: string;
}

/** How often an API key was used in one hour (hours since 1970, UTC). */
interface KeyUsageTable {
  workspace_id: number;
  key_id: string;
  hour: number;
  calls: number;
  /** Those of the calls that were answered with an error other than 429. */
  failed: Generated<number>;
  /** Those of the calls that were answered with 429. */
  limited: Generated<number>;
}

/** How often an API key asked for the clients of one filter on one day (days since 1970, UTC). */
interface KeyListingsTable {
  workspace_id: number;
  key_id: string;
  day: number;
  kind: string;
  filter: string;
  calls: number;
  last_at: number;
}

interface SavedViewsTable {
  workspace_id: number;
  id: string;
  name: string;
  /** JSON. */
  filters: string;
  /** None if the view is shared. */
  member_id: number | null;
  created_at: number;
}

/** The table has one row. */
interface InstallationTable extends ChainedTable {
  id: number;
  /** A random text. Versions may only be compared within one epoch, because version numbers repeat after a restore. */
  epoch: string;
  /** Identifies the physical database. It changes when the database is copied or restored, and then a new epoch starts. */
  place: string;
  /** The time of the last test write. */
  write_tried_at: Generated<number | null>;
  /** The id of the secret with which all encrypted columns are sealed. */
  secret_id: Generated<string | null>;
  /** What the salts of passwords are derived from, together with the email. */
  salt_key: Generated<string>;
  /** When the database was rewritten, so that nothing remains of what was stored before it was encrypted. */
  remains_removed_at: Generated<number | null>;
}

/** The table has one row. */
interface CompatibilityTable {
  id: number;
  /** The number of a migration. A program must know this schema, or a later one, to use the database. */
  oldest_schema: number;
}

/** Entries are only ever added, and never changed; the details of an erased client are removed. */
interface ActivityEntriesTable {
  chain: string;
  /** From 1 without gaps. */
  number: number;
  /** Null for what concerns the installation. */
  account_id: number | null;
  at: number;
  id: string;
  /** What all parts of one import or one merge share. */
  part_of: string | null;
  /** 1 if it is shown as one with an earlier part, to whose number of clients its own is added; otherwise 0. */
  continues: number;
  member: string;
  action: string;
  subject: string;
  environment: string | null;
  address: string;
  request_id: string | null;
  /** How many clients were affected, unless it was only the one that the subject names. */
  clients: number | null;
  /** The values before and after as JSON; null if there are none or if they were erased. */
  details: string | null;
  salt: string | null;
  details_hash: string;
  hash: string;
}

/** Where the oldest entries of a chain were removed. */
interface ActivityCutsTable {
  chain: string;
  /** The number and the hash of the last one that was removed. */
  count: number;
  hash: string;
  /** A signed statement of it, as JSON, and the id of the key. */
  signed: string;
  kid: string;
}
