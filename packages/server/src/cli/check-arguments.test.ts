import type { CommanderError } from 'commander';
import { expect, test } from 'vitest';
import { checkArguments } from './check-arguments.ts';
import { program } from './program.ts';

function errorFor(line: string): string | undefined {
  const root = program();
  const all = [root, ...root.commands, ...root.commands.flatMap((each) => each.commands)];
  for (const command of all) command.exitOverride().configureOutput({ writeErr: () => {} });
  try {
    checkArguments(root, line.split(' '));
    return undefined;
  } catch (error) {
    return (error as CommanderError).message;
  }
}

test.each([
  ['import f.csv --acount x', 'There is no option --acount. Did you mean --account?'],
  ['import --acount=x --format wrong', 'There is no option --acount. Did you mean --account?'],
  ['import f.csv --account a@b.example --enviroment', 'There is no option --enviroment. Did you mean --environment?'],
  ['client add --nmae x', 'There is no option --nmae. Did you mean --name?'],
  ['account list --jsno', 'There is no option --jsno. Did you mean --json?'],
  ['account list -x', 'There is no option -x.'],
  ['--bogus serve', 'There is no option --bogus.'],
  ['serve --elephant', 'There is no option --elephant.'],
  ['clint --acount', 'There is no command clint. Did you mean client?'],
  ['key lsit --account x', 'There is no command key lsit. Did you mean list?'],
  ['key edit key_1 --name x', 'There is no command key edit. Did you mean update?'],
  ['elephant', 'There is no command elephant.'],
  ['foo', 'There is no command foo.'],
  ['member list --help', 'There is no command member list. The dashboard lists the members.'],
  ['doctor --hlep', 'There is no option --hlep. Did you mean --help?'],
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
  'help import',
  'client help show',
  '--version',
  'serve --only production,sandbox --demo',
])('%s names only commands and options that exist', (line) => {
  expect(errorFor(line)).toBeUndefined();
});
