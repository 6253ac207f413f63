import { BoundedClient } from '../store/engines/postgres/bounded-client.ts';
import { SqliteConnection } from '../store/engines/sqlite/driver.ts';
import { namesItsWorkspaces, normalized } from './workspace-conditions.ts';

/** Most statements are executed thousands of times. */
const right = new Set<string>();
const wrong = new Set<string>();
let isWatching = false;

/** Looks at every statement that a store of this process executes. */
export function watchWorkspaces(): void {
  if (isWatching) return;
  isWatching = true;
  watch(SqliteConnection.prototype, 'executeQuery', ({ sql }: { sql: string }) => sql);
  watch(SqliteConnection.prototype, 'streamQuery', ({ sql }: { sql: string }) => sql);
  watch(SqliteConnection.prototype, 'statement', (sql: string) => sql);
  watch(SqliteConnection.prototype, 'arrayStatement', (sql: string) => sql);
  watch(BoundedClient.prototype, 'query', (sql: string) => sql);
  watch(BoundedClient.prototype, 'runPrepared', (_name: string, sql: string) => sql);
  watch(BoundedClient.prototype, 'runUnnamed', (sql: string) => sql);
}

/** The statements, since the last call, that do not say which workspace they mean. */
export function statementsWithoutWorkspace(): string[] {
  const found = [...wrong].map(normalized);
  wrong.clear();
  return found;
}

function watch<Arguments extends unknown[]>(
  connection: object,
  name: string,
  textOf: (...values: Arguments) => string,
): void {
  const method = Reflect.get(connection, name) as (...values: Arguments) => unknown;
  Reflect.set(connection, name, function (this: unknown, ...values: Arguments) {
    look(textOf(...values));
    return method.apply(this, values);
  });
}

function look(statement: string): void {
  if (right.has(statement)) return;
  if (namesItsWorkspaces(statement)) right.add(statement);
  else wrong.add(statement);
}
