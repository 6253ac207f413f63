import { DatabaseSync } from 'node:sqlite';
import { onTestFinished } from 'vitest';

/** All statements that are prepared from now on. */
export function watchStatements(): Set<string> {
  const seen = new Set<string>();
  const { prepare } = DatabaseSync.prototype;
  DatabaseSync.prototype.prepare = function (statement, ...rest) {
    if (!statement.startsWith('explain')) seen.add(statement);
    return prepare.call(this, statement, ...rest);
  };
  onTestFinished(() => {
    DatabaseSync.prototype.prepare = prepare;
  });
  return seen;
}
