export interface Usage {
  peakMb: number;
  /** Where other programs keep the machine busy, this tells more than the time on the clock. */
  cpuSeconds: number;
}

/** The environment variable that names the file for it. The launcher passes on no other descriptors than the standard ones. */
export const USAGE_FILE = 'BENCH_USAGE_FILE';
