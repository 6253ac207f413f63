// The descriptions of commands begin with a capital letter, those of options and arguments do not, and none ends with a full
// stop.
import { InvalidArgumentError, Option } from 'commander';
import { ENVIRONMENTS } from '../domain/environment.ts';

export const accountOption = () =>
  new Option('--account <account>', "the account, given by its owner's email or its id").makeOptionMandatory();

export const environmentOption = (description = 'the environment of the account') =>
  new Option('--environment <environment>', description).choices(ENVIRONMENTS);

export const jsonOption = (description = 'print the result as JSON') => new Option('--json', description);

/** Help text with commands that can be copied. */
export function examples(...commands: string[]): string {
  const title = commands.length === 1 ? 'Example' : 'Examples';
  return [`\n${title}:`, ...commands.map((command) => `  $ ${command}`)].join('\n');
}

export function wholeNumber(minimum: number, maximum: number): (value: string) => number {
  return (value) => {
    const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= minimum && number <= maximum) return number;
    throw new InvalidArgumentError(`It must be a whole number from ${minimum} to ${maximum}.`);
  };
}
