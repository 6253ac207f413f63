import { setFlagsFromString } from 'node:v8';

/**
 * For commands that much passes through. Node would let old memory grow to several times what is in use before it looks
 * for garbage; now it looks after growing by half. An export of a million clients takes 175 MB instead of 218, serving
 * random pages of ten million (with 32 MB of page cache) 244 instead of 297, as fast as before. An import of 300,000
 * shuffled ones took 250 MB instead of 332, for 8 % more processor time.
 */
export function collectOften(): void {
  setFlagsFromString('--heap-growing-percent=50');
}
