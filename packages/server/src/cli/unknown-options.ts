import type { Command } from 'commander';
import { suggest } from '../domain/suggest.ts';

/**
 * Refuses an option that the command does not have. Commander alone would first report a missing `--account` to someone
 * who has typed `--acount`.
 */
export function refuseUnknownOptions(root: Command, args: readonly string[]): void {
  let command = root;
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? '';
    if (arg === '--') return;
    if (!looksLikeOption(arg)) {
      const next = command.commands.find((each) => each.name() === arg);
      // Commander reports an unknown command. The arguments of a command without subcommands may be anything.
      if (!next && command.commands.length > 0) return;
      command = next ?? command;
      continue;
    }
    const [flag = ''] = arg.split('=');
    if (flag === '--help' || flag === '-h') return;
    const option = command.options.find(({ long, short }) => flag === long || flag === short);
    if (!option) refuse(command, flag);
    else if (option.required && flag === arg) index++;
  }
}

/** By Commander's rules: a single dash is stdin, and a negative number is not an option. */
function looksLikeOption(arg: string): boolean {
  return arg.length > 1 && arg.startsWith('-') && !/^-\.?\d/.test(arg);
}

function refuse(command: Command, flag: string): void {
  const names = command.options.flatMap(({ long }) => long ?? []);
  const meant = suggest(flag, [...names, '--help']);
  const hint = meant ? ` (Did you mean ${meant}?)` : '';
  command.error(`error: unknown option '${flag}'${hint}`, { code: 'commander.unknownOption' });
}
