import { InvalidArgumentError, Option } from 'commander';
import { ENVIRONMENTS } from '../domain/environment.ts';

export const accountOption = () =>
  new Option('--account <email>', "the account, by its owner's email").makeOptionMandatory();

export const environmentOption = () =>
  new Option('--environment <environment>', 'production or sandbox').choices(ENVIRONMENTS);

export const jsonOption = () => new Option('--json', 'print JSON on stdout');

export function wholeNumber(minimum: number, maximum: number): (value: string) => number {
  return (value) => {
    const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= minimum && number <= maximum) return number;
    throw new InvalidArgumentError(`It must be a whole number from ${minimum} to ${maximum}.`);
  };
}
