import { setFlagsFromString } from 'node:v8';

/**
 * For commands that a file of any size passes through. Node would let old memory grow to several times what is in use
 * before it looks for garbage; now it looks after growing by half. An import of 300,000 shuffled clients takes 250 MB
 * instead of 332 and 5 % longer, an export of a million 150 MB instead of 218.
 */
export function collectOften(): void {
  setFlagsFromString('--heap-growing-percent=50');
}
