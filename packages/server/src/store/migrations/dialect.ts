import type { Engine } from '../engines/engine.ts';

export type Dialect = Engine['dialect'];
