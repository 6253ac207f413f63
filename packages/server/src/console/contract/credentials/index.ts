export type { KeyRecord } from './keys.ts';
