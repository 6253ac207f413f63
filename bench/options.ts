import { parseArgs } from 'node:util';

export interface BenchOptions {
  /** Numbers of clients, smallest first. */
  sizes: number[];
  /** How long one measurement lasts, after its warm-up. */
  seconds: number;
  /** How often each measurement is taken, the contenders in turn; the median round counts. */
  rounds: number;
  connections: number;
}

export const THOUSANDS = 10_000;
export const MILLION = 1_000_000;
export const TEN_MILLION = 10_000_000;

const HELP = `npm run bench -- [options]

  --quick            10 thousand and 1 million clients; without it also 10 million
  --sizes N,N        these numbers of clients instead
  --seconds N        how long each measurement lasts (2; with --quick 1)
  --rounds N         how often each is taken, the contenders in turn (3)
  --connections N    connections that ask at the same time (10)
`;

/** What the command line asks for; nothing when it asks for help. */
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
  const usual = values.quick ? [THOUSANDS, MILLION] : [THOUSANDS, MILLION, TEN_MILLION];
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
  throw new Error(`${option} takes a number above 0, not "${value}".`);
}
