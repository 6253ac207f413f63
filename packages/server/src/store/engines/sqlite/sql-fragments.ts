import { sql } from 'kysely';
import type { Engine } from '../engine.ts';

export const listOf: Engine['listOf'] = (values) => sql`(select value from json_each(${JSON.stringify(values)}))`;

/** SQLite does not change the order of a `cross join`. */
export const lookUp: Engine['lookUp'] = (table, alias, condition) =>
  sql`cross join ${sql.table(table)} as ${sql.id(alias)} on ${condition}`;
