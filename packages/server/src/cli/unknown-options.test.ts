import type { CommanderError } from 'commander';
import { expect, test } from 'vitest';
import { program } from './program.ts';
import { refuseUnknownOptions } from './unknown-options.ts';

function errorFor(line: string): string | undefined {
  const root = program();
  const all = [root, ...root.commands, ...root.commands.flatMap((each) => each.commands)];
  for (const command of all) command.exitOverride().configureOutput({ writeErr: () => {} });
  try {
    refuseUnknownOptions(root, line.split(' '));
    return undefined;
  } catch (error) {
    return (error as CommanderError).message;
  }
}

test.each([
  ['import f.csv --acount x', "error: unknown option '--acount' (Did you mean --account?)"],
  ['import --acount=x --format wrong', "error: unknown option '--acount' (Did you mean --account?)"],
  [
    'import f.csv --account a@b.example --enviroment',
    "error: unknown option '--enviroment' (Did you mean --environment?)",
  ],
  ['client add --nmae x', "error: unknown option '--nmae' (Did you mean --name?)"],
  ['account list --jsno', "error: unknown option '--jsno' (Did you mean --json?)"],
  ['account list -x', "error: unknown option '-x'"],
  ['--bogus serve', "error: unknown option '--bogus'"],
  ['serve --elephant', "error: unknown option '--elephant'"],
  ['doctor --hlep', "error: unknown option '--hlep' (Did you mean --help?)"],
])('%s', (line, expected) => {
  expect(errorFor(line)).toBe(expected);
});

test.each([
  'import f.csv --account a@b.example --environment production --json',
  'import - --account=a@b.example',
  'import --account --acount f.csv', // what follows an option is its value
  'import f.csv --help --acount',
  'client erase --account x -- --acount',
  'sample --clients -5',
  'clint --acount',
  'help import',
  '--version',
  'serve --only production,sandbox --demo',
])('%s has no unknown option', (line) => {
  expect(errorFor(line)).toBeUndefined();
});
