import { sql } from 'kysely';
import type { Engine } from '../engine.ts';

export const listOf: Engine['listOf'] = (values) => sql`(select value from json_each(${JSON.stringify(values)}))`;

/** A `cross join` is one whose order SQLite keeps. */
export const lookUp: Engine['lookUp'] = (table, alias, condition) =>
  sql`cross join ${sql.table(table)} as ${sql.id(alias)} on ${condition}`;
