import { sql } from 'kysely';
import type { Engine } from '../engine.ts';

export const listOf: Engine['listOf'] = (values) => sql`(select value from json_each(${JSON.stringify(values)}))`;

export const jsonOf: Engine['jsonOf'] = (column) => sql`json_group_array(${column})`;

export const pairRows: Engine['pairRows'] = (pairs) => sql`(
  select value ->> 0 as text, value ->> 1 as number from json_each(${JSON.stringify(pairs)}) limit -1 offset 0)`;

export const textRows: Engine['textRows'] = (texts) =>
  sql`(select value as text from json_each(${JSON.stringify(texts)}))`;

export const isOneOf: Engine['isOneOf'] = (column, json) => sql`${column} in (select value from json_each(${json}))`;

export const jsonText: Engine['jsonText'] = (column, name) => sql`${column} ->> ${sql.lit(`$.${name}`)}`;

export const jsonTexts: Engine['jsonTexts'] = (column, name, as) =>
  sql`(select value as ${sql.id(as)} from json_each(${column}, ${sql.lit(`$.${name}`)}))`;

/** SQLite merges along the indexes and stops by itself. With limits of their own, it would sort the selections. */
export const mergedPage: Engine['mergedPage'] = (selections, order) => sql`
  ${sql.join(selections, sql` union all `)}
  order by ${order} limit (select size from page) offset (select skipped from page)`;

/** SQLite does not change the order of a `cross join`. */
export const lookUp: Engine['lookUp'] = (table, alias, condition) =>
  sql`cross join ${sql.table(table)} as ${sql.id(alias)} on ${condition}`;
