import { createHash } from 'node:crypto';
import { type CompiledQuery, type Expression, type RawBuilder, sql } from 'kysely';
import type { Engine } from '../engine.ts';

/** Passes the values in one array parameter. For an empty list the type is unknown, so null is used, which equals nothing. */
export function listOf<Value extends string | number>(values: readonly Value[]): Expression<Value> {
  if (values.length === 0) return sql<Value>`(null)`;
  const type = sql.raw(typeof values[0] === 'number' ? 'bigint[]' : 'text[]');
  return sql<Value>`(select unnest(${values}::${type}))`;
}

export const jsonOf: Engine['jsonOf'] = (column) => sql`json_agg(${column})::text`;

/** Compared with an array, because the planner would compare a subquery with every row of the table. */
export const isOneOf: Engine['isOneOf'] = (column, json) =>
  sql`${column} = any(array(select json_array_elements_text(${json}::json)))`;

/** Texts in JSON have the collation of the database, unlike those in columns. */
export const jsonText: Engine['jsonText'] = (column, name) => sql`(${column}::json ->> ${sql.lit(name)}) collate "C"`;

export const jsonTexts: Engine['jsonTexts'] = (column, name, as) =>
  sql`(select json_array_elements_text(${column}::json -> ${sql.lit(name)}) collate "C" as ${sql.id(as)})`;

export const numberRows: Engine['numberRows'] = (columns, rows) => {
  const named = columns.map((column, index) => sql`(value ->> ${sql.lit(index)})::bigint as ${sql.ref(column)}`);
  return sql`(select ${sql.join(named)} from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) as each_row(value))`;
};

export const pairRows: Engine['pairRows'] = (pairs) => {
  const [texts, numbers] = [pairs.map(([text]) => text), pairs.map(([, number]) => number)];
  return sql`(select text, number from unnest(${texts}::text[], ${numbers}::bigint[]) as pair (text, number))`;
};

export const textRows: Engine['textRows'] = (texts) =>
  sql`(select text from unnest(${texts}::text[]) as each_row (text))`;

/** Without limits of their own, PostgreSQL might read and sort the selections as a whole. */
export const mergedPage: Engine['mergedPage'] = (selections, order) => {
  const limited = (each: RawBuilder<unknown>) =>
    selections.length === 1 ? each : sql`(${each} order by ${order} limit (select size + skipped from page))`;
  return sql`
    ${sql.join(selections.map(limited), sql` union all `)}
    order by ${order} limit (select size from page) offset (select skipped from page)`;
};

/** A subquery with `offset 0` is planned by itself, so that the planner considers no other order or kind of join (decision 70). */
export const lookUp: Engine['lookUp'] = (table, alias, condition) => {
  const [from, name] = [sql.table(table), sql.id(alias)];
  return sql`cross join lateral (select * from ${from} as ${name} where ${condition} offset 0) as ${name}`;
};

/** Wraps number parameters in subqueries, so that the plan cannot depend on their values and is made only once (decision 37). */
export function forceGenericPlan({ sql: text, parameters }: CompiledQuery): string {
  const isNumber = (name: string) => typeof parameters[Number(name.slice(1)) - 1] === 'number';
  return text.replaceAll(/\$\d+/g, (name) => (isNumber(name) ? `(select ${name}::bigint)` : name));
}

/** A name that is derived from the text, so that it means the same statement on every connection. */
export function statementName(text: string): string {
  return `rollcall_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`;
}
