import type { Command } from 'commander';
import { suggest } from '../domain/suggest.ts';

/** Where to find what somebody may expect from a command that does not exist. */
const ALTERNATIVES: Record<string, string> = {
  'key edit': 'Did you mean update?',
  'member list': 'The dashboard lists the members.',
};

/**
 * Refuses a command that does not exist and an option that the command does not have. Commander alone would show a help text
 * for `client list --help`, and would first report a missing `--account` to someone who has typed `--acount`.
 */
export function checkArguments(root: Command, args: readonly string[]): void {
  let command = root;
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? '';
    if (arg === '--') return;
    if (!looksLikeOption(arg)) {
      // Commander answers `help`. The arguments of a command without subcommands may be anything.
      if (command.commands.length === 0) continue;
      if (arg === 'help') return;
      command = command.commands.find((each) => each.name() === arg) ?? refuseCommand(command, arg);
      continue;
    }
    const [flag = ''] = arg.split('=');
    if (flag === '--help' || flag === '-h') return;
    const option = command.options.find(({ long, short }) => flag === long || flag === short);
    if (!option) refuseOption(command, flag);
    else if (option.required && flag === arg) index++;
  }
}

/** By Commander's rules: a single dash is stdin, and a negative number is not an option. */
function looksLikeOption(arg: string): boolean {
  return arg.length > 1 && arg.startsWith('-') && !/^-\.?\d/.test(arg);
}

function refuseOption(command: Command, flag: string): never {
  const names = command.options.flatMap(({ long }) => long ?? []);
  const meant = suggest(flag, [...names, '--help']);
  const hint = meant ? ` Did you mean ${meant}?` : '';
  command.error(`There is no option ${flag}.${hint}`, { code: 'commander.unknownOption' });
}

function refuseCommand(parent: Command, word: string): never {
  const path = [...(parent.parent ? [parent.name()] : []), word].join(' ');
  const meant = suggest(
    word,
    parent.commands.map((each) => each.name()),
  );
  const hint = ALTERNATIVES[path] ?? (meant ? `Did you mean ${meant}?` : '');
  parent.error(`There is no command ${path}. ${hint}`.trimEnd(), { code: 'commander.unknownCommand' });
}
