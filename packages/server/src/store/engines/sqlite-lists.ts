import { sql } from 'kysely';
import type { Engine } from './engine.ts';

export const listOf: Engine['listOf'] = (values) => sql`(select value from json_each(${JSON.stringify(values)}))`;
