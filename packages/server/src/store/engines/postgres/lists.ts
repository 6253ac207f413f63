import { createHash } from 'node:crypto';
import { type CompiledQuery, type Expression, sql } from 'kysely';
import type { Engine } from '../engine.ts';

/** One array parameter. An empty list has no type to go by, and null, which nothing equals, fits any. */
export function listOf<Value extends string | number>(values: readonly Value[]): Expression<Value> {
  if (values.length === 0) return sql<Value>`(null)`;
  const type = sql.raw(typeof values[0] === 'number' ? 'bigint[]' : 'text[]');
  return sql<Value>`(select unnest(${values}::${type}))`;
}

export const numberRows: Engine['numberRows'] = (columns, rows) => {
  const named = columns.map((column, index) => sql`(value ->> ${sql.lit(index)})::bigint as ${sql.ref(column)}`);
  return sql`(select ${sql.join(named)} from json_array_elements(${JSON.stringify(rows)}::json) as each_row(value))`;
};

/** What `offset 0` ends is planned by itself, so that no other order or kind of join is considered (decision 70). */
export const lookUp: Engine['lookUp'] = (table, alias, condition) => {
  const [from, name] = [sql.table(table), sql.id(alias)];
  return sql`cross join lateral (select * from ${from} as ${name} where ${condition} offset 0) as ${name}`;
};

/** The statement in a form whose plan cannot depend on the numbers it is given, so that it is planned once (decision 37). */
export function withHiddenNumbers({ sql: text, parameters }: CompiledQuery): string {
  const isNumber = (place: string) => typeof parameters[Number(place.slice(1)) - 1] === 'number';
  return text.replaceAll(/\$\d+/g, (place) => (isNumber(place) ? `(select ${place}::bigint)` : place));
}

/** A name that means this text on whatever connection it is met, whoever prepared it there. */
export function nameFor(text: string): string {
  return `rollcall_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`;
}
