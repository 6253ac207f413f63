import { setFlagsFromString } from 'node:v8';

/**
 * For the service. With the bound that the launcher sets, V8 takes smaller and smaller steps as the heap grows; now it
 * collects after growing by half. 400 pages of 1000 clients for 64 connections took 9 full collections instead of 12, for
 * the same memory at the most (decision 66).
 */
export function growHeapByHalves(): void {
  setFlagsFromString('--heap-growing-percent=50');
}
