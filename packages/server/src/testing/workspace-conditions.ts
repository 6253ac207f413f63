import { PRIMARY_KEYS, WORDS_TABLE } from '../store/tables.ts';

/** The tables whose rows belong to a workspace. */
const TABLES = [
  WORDS_TABLE,
  ...Object.entries(PRIMARY_KEYS).flatMap(([table, [first]]) => (first === 'workspace_id' ? table : [])),
];
const MENTIONED = new RegExp(`\\b(?:from|join|update)\\s+(?:${TABLES.join('|')})\\b(?!\\.)`, 'g');
/** A comparison of one or several columns with a workspace, without an alternative that makes it void. */
const CONDITION =
  /\bworkspace_id(?:::\w+)?\s*(?:=|in\b)(?!\s*[\w.?]+ or (?:true|1)\b)|\([\w.]*workspace_id,[^)]*\)\s*(?:=|<|>|in\b)/g;

/** The statements that concern all workspaces, or find one, by their beginnings; how many conditions they have nevertheless. */
const OF_ALL_WORKSPACES: Record<string, { begins: RegExp; conditions?: number }[]> = {
  'A caller shows the secret or a token of a key, and the directory of keys follows all of them.': [
    { begins: /^select api_keys\.\*, workspaces\.environment, found\.number/, conditions: 2 },
    { begins: /^select workspace_id from api_keys where id = \?$/ },
    { begins: /^select workspace_id, id, allowed_networks, rate_limit, expires_at, revoked_at, version from api_keys/ },
    { begins: /^select workspace_id, max\(version\) as newest from api_keys group by workspace_id$/ },
    { begins: /^select count\(\*\) as keys, sum\(version\) as versions from api_keys$/ },
  ],
  'Every process looks for jobs that wait, and removes what is old.': [
    {
      begins: /^select workspace_id, id, state, created_at, runs_until from (import_jobs|bulk_changes) where state in/,
    },
    { begins: /^select id from (import_jobs|bulk_changes) where state in \(\?\)$/ },
    {
      begins:
        /^select workspace_id, id from import_jobs where \(\(state = \? and runs_until < \?\) or ended_at < \?\)$/,
    },
    {
      begins: /^select import_pieces\.workspace_id, import_pieces\.import_id from import_pieces left join/,
      conditions: 1,
    },
    { begins: /^delete from bulk_changes where ended_at < \?$/ },
    { begins: /^delete from key_usage where hour < \?$/ },
    { begins: /^delete from key_listings where day = \?$/ },
    { begins: /^select min\(day\) as first from key_listings$/ },
    { begins: /^select workspace_id, idempotency_key from kept_answers where kept_at <= \? limit \?$/ },
  ],
  'The activity log of an account names the views of both its workspaces.': [
    {
      begins:
        /^select saved_views\.id, saved_views\.name, saved_views\.member_id from saved_views inner join workspaces on .* where workspaces\.account_id = \?/,
    },
  ],
  'Each word begins with the number of its workspace, and the words of all workspaces are made anew together.': [
    { begins: /^(explain )?with found as materialized \(select client_id from client_words where words @@ / },
    {
      begins:
        /^select json_group_array\(id\) as ids from \( select rowid as id from client_words where client_words match /,
    },
    { begins: /^delete from client_words$/ },
  ],
  'A copy has all rows, and a migration changes all of them.': [
    { begins: /^select \* from \w+ order by workspace_id, [\w, ]+( limit \?)?$/ },
    {
      begins: /^insert into (client_runs|api_key_secrets|new_api_keys|new_key_usage) \([\w, ]+\) select workspace_id,/,
    },
    { begins: /^delete from saved_views where length\(filters\) > 4096$/ },
  ],
};

/** Whether a statement says for every table which workspace it means, or may concern all of them. */
export function namesItsWorkspaces(statement: string): boolean {
  const text = normalized(statement);
  const mentioned = text.match(MENTIONED)?.length ?? 0;
  const conditions = text.match(CONDITION)?.length ?? 0;
  if (conditions >= mentioned) return true;
  const exception = Object.values(OF_ALL_WORKSPACES)
    .flat()
    .find(({ begins }) => begins.test(text));
  return exception !== undefined && conditions >= (exception.conditions ?? 0);
}

/** Without quotes, line breaks and the numbers of parameters, in which the engines differ. */
export function normalized(statement: string): string {
  return statement
    .replaceAll('"', '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\$\d+/g, '?')
    .replaceAll(/\?(?:, ?\?)+/g, '?')
    .trim()
    .toLowerCase();
}
