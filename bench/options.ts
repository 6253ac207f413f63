import { parseArgs } from 'node:util';

export interface BenchOptions {
  /** Numbers of clients, smallest first. */
  sizes: number[];
  /** How long one measurement lasts after its warm-up. */
  seconds: number;
  /** How many times each measurement is taken, with the servers in turn. The median round counts. */
  rounds: number;
  connections: number;
}

export const TEN_THOUSAND = 10_000;
export const MILLION = 1_000_000;
export const TEN_MILLION = 10_000_000;

const HELP = `Measures the service beside a bare HTTP server and a conventional implementation.

Usage:
  npm run bench -- [options]

Options:
  --quick            measure 10 thousand and 1 million clients, but not 10 million
  --sizes N,N        measure these numbers of clients instead
  --seconds N        how long each measurement lasts (default: 2; with --quick 1)
  --rounds N         how many times each measurement is taken, with the servers in turn (default: 3)
  --connections N    the number of concurrent connections (default: 10)
  --help             show this help

Example:
  $ npm run bench -- --quick
`;

/** The options of the command line, or `undefined` if it asks for help. */
export function readOptions(args: string[]): BenchOptions | undefined {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      sizes: { type: 'string' },
      seconds: { type: 'string' },
      rounds: { type: 'string', default: '3' },
      connections: { type: 'string', default: '10' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return undefined;
  }
  const usual = values.quick ? [TEN_THOUSAND, MILLION] : [TEN_THOUSAND, MILLION, TEN_MILLION];
  const sizes = values.sizes?.split(',').map((size) => positive('--sizes', size)) ?? usual;
  return {
    sizes: sizes.sort((a, b) => a - b),
    seconds: positive('--seconds', values.seconds ?? (values.quick ? '1' : '2')),
    rounds: positive('--rounds', values.rounds),
    connections: positive('--connections', values.connections),
  };
}

function positive(option: string, value: string): number {
  const number = Number(value);
  if (number > 0 && Number.isFinite(number)) return number;
  throw new Error(`${option} must be a number above 0, not "${value}".`);
}
