import { parseArgs } from 'node:util';
import { ENGINE_NAMES, type EngineName } from './engines.ts';
import { GENERATOR_NAMES, type GeneratorName } from './measure/load.ts';

/** The parts of a run. */
export const PART_NAMES = ['lists', 'questions', 'searches', 'adding', 'writing', 'workers', 'files'] as const;
export type PartName = (typeof PART_NAMES)[number];

export interface BenchOptions {
  /** Numbers of clients, smallest first. */
  sizes: number[];
  /** How long one measurement lasts. */
  seconds: number;
  /** How many times each measurement is taken, with the servers in turn. The median round counts. */
  rounds: number;
  connections: number;
  engines: EngineName[];
  parts: PartName[];
  /** Whether the parts that an interrupted run has finished are taken from its results. */
  isContinued: boolean;
  /** The program that generates the load; not set if the best one that is installed is used. */
  generator?: GeneratorName;
}

export const TEN_THOUSAND = 10_000;
export const MILLION = 1_000_000;
export const TEN_MILLION = 10_000_000;

const HELP = `Measures the service beside bare servers and a conventional implementation.

Usage:
  npm run bench -- [options]

Options:
  --clients N        the largest number of clients; 10 thousand, 1 million and 10 million are
                     measured, too, as far as they are smaller (default: 1000000)
  --quick            short for --seconds 1
  --seconds N        how long each measurement lasts (default: 2)
  --rounds N         how many times each measurement is taken, with the servers in turn (default: 3)
  --connections N    the number of concurrent connections (default: 10)
  --engines A,B      sqlite, postgres or both (default: both; PostgreSQL up to 1 million)
  --generator NAME   wrk or autocannon (default: wrk where it is installed)
  --only A,B         only these parts: ${PART_NAMES.join(', ')}
  --continue         take over the parts that an interrupted run has finished, and measure the others
  --help             show this help

Example:
  $ npm run bench -- --clients 10000000
`;

/** The options of the command line, or `undefined` if it asks for help. */
export function readOptions(args: string[]): BenchOptions | undefined {
  const { values } = parseArgs({
    args,
    options: {
      clients: { type: 'string', default: String(MILLION) },
      quick: { type: 'boolean', default: false },
      seconds: { type: 'string' },
      rounds: { type: 'string', default: '3' },
      connections: { type: 'string', default: '10' },
      engines: { type: 'string', default: ENGINE_NAMES.join() },
      generator: { type: 'string' },
      only: { type: 'string', default: PART_NAMES.join() },
      continue: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return undefined;
  }
  const largest = positive('--clients', values.clients);
  const smaller = [TEN_THOUSAND, MILLION, TEN_MILLION].filter((size) => size < largest);
  return {
    sizes: [...smaller, largest],
    seconds: positive('--seconds', values.seconds ?? (values.quick ? '1' : '2')),
    rounds: positive('--rounds', values.rounds),
    connections: positive('--connections', values.connections),
    engines: someOf('--engines', ENGINE_NAMES, values.engines),
    parts: someOf('--only', PART_NAMES, values.only),
    isContinued: values.continue,
    ...(values.generator && { generator: oneOf('--generator', GENERATOR_NAMES, values.generator) }),
  };
}

function positive(option: string, value: string): number {
  const number = Number(value);
  if (number > 0 && Number.isFinite(number)) return number;
  throw new Error(`${option} must be a number above 0, not "${value}".`);
}

function someOf<Name extends string>(option: string, names: readonly Name[], value: string): Name[] {
  const given = value.split(',').map((each) => oneOf(option, names, each));
  return names.filter((name) => given.includes(name));
}

function oneOf<Name extends string>(option: string, names: readonly Name[], value: string): Name {
  const known = names.find((name) => name === value);
  if (known === undefined) throw new Error(`${option} takes ${names.join(', ')}, not "${value}".`);
  return known;
}
