import { setFlagsFromString } from 'node:v8';

/**
 * Lets the heap of the service grow by half between two full collections. With the heap limit that the launcher sets, V8
 * would take smaller and smaller steps. 400 pages of 1000 clients for 64 connections took 9 full collections instead of
 * 12, with the same peak memory (decision 66).
 */
export function setHeapGrowth(): void {
  setFlagsFromString('--heap-growing-percent=50');
}
