import { createInterface } from 'node:readline/promises';
import { Command } from 'commander';
import { Failure } from '../domain/failure.ts';
import { hasSecret, resetSecret, rotateSecret } from '../domain/manage-secret.ts';
import { InstallationSecret } from '../domain/sealed-text.ts';
import { withStore } from './context.ts';
import { examples, jsonOption } from './options.ts';
import { print, printMessage } from './output.ts';
import { plural } from './plural.ts';

export function secretCommand(): Command {
  return new Command('secret')
    .description('Manage the secret that encrypts signing keys and second factors in the database')
    .addCommand(newCommand())
    .addCommand(rotateCommand())
    .addCommand(resetCommand())
    .addHelpText(
      'after',
      `
The secret is the setting ROLLCALL_SECRET. Without the setting, an SQLite database has it in the file rollcall.secret in its
folder, which is made at the first start. It is never in the database, in a backup or in a copy: keep a copy of it elsewhere.
${examples('rollcall secret new')}`,
    );
}

function newCommand(): Command {
  return new Command('new')
    .description('Print a new random secret for ROLLCALL_SECRET; it is stored nowhere')
    .addOption(jsonOption())
    .addHelpText('after', examples('rollcall secret new'))
    .action((options: { json?: true }) => {
      const secret = InstallationSecret.generate();
      print(options.json, { secret: secret.reveal(), secret_id: secret.id }, secret.reveal());
      // On stderr, so that a script that takes the output gets the secret alone.
      if (!options.json) printMessage(idHint(secret.id));
    });
}

/** Messages name a missing secret by its id. */
function idHint(id: string): string {
  return `Its id is ${id}; write it beside the secret.`;
}

const ROTATE_HELP = `
With the setting, give the new secret in ROLLCALL_NEXT_SECRET, to this command and beforehand to every node, so that running
nodes know it when the database changes. Afterwards, make it ROLLCALL_SECRET everywhere. Without the setting, the file
rollcall.secret is replaced, and a running service follows by itself.

Backups from before the rotation can only be used with the former secret, so keep it as long as you keep them. Without the
setting, it stays beside the database as rollcall.secret.<id>, where it is found when a database in this folder needs it: a
restored backup, or another database, because each one is rotated by itself.
${examples('rollcall secret rotate', 'ROLLCALL_NEXT_SECRET=… rollcall secret rotate')}`;

function rotateCommand(): Command {
  return new Command('rotate')
    .description('Encrypt everything again with a new secret; access tokens and second factors keep working')
    .addOption(jsonOption())
    .addHelpText('after', ROTATE_HELP)
    .action((options: { json?: true }) =>
      withStore(
        async ({ store, clock, config }) => {
          const { id, keptIn } = await rotateSecret({ ...store, clock });
          const byFile = keptIn
            ? `The former secret is kept in ${keptIn}: backups from before now need it, and so may other databases in the same folder. Delete it only when there are no such backups or databases any more.`
            : '';
          const bySetting =
            'Now set ROLLCALL_SECRET to the new secret, remove ROLLCALL_NEXT_SECRET and restart every node. Keep the former secret as long as you keep backups from before now.';
          const text =
            `Encrypted everything with the new secret. ${idHint(id)} ${config.secrets.length > 0 ? bySetting : byFile}`.trim();
          print(options.json, { secret_id: id, former_secret_file: keptIn ?? null }, text);
        },
        { needsSecret: true },
      ),
    );
}

const RESET_HELP = `
Use this only if the secret is lost: what it has encrypted cannot be read any more. New signing keys are made, so that every
access token ends and programs exchange their API keys for new ones. All second factors are removed, and members sign in with
their password alone until they add one again. Both are recorded in the activity log of every account. Clients, API keys,
passwords and sessions are not affected.

With the setting, ROLLCALL_SECRET must be a new secret, for this command and afterwards for every node. Without it, the file
rollcall.secret is made if it is missing. Restart all running services afterwards.
${examples('rollcall secret reset', 'rollcall secret reset --yes')}`;

function resetCommand(): Command {
  return new Command('reset')
    .description('Replace what a lost secret has encrypted: new signing keys, no second factors')
    .option('--yes', 'do not ask for confirmation')
    .addOption(jsonOption())
    .addHelpText('after', RESET_HELP)
    .action((options: { yes?: true; json?: true }) =>
      withStore(
        async ({ store, clock, config }) => {
          const present = (await hasSecret(store)) ? 'The present secret works, so nothing forces a reset. ' : '';
          if (!options.yes) await confirm(`${present}This ends every access token and removes every second factor.`);
          const { accounts, secondFactors } = await resetSecret({ ...store, clock });
          const restart =
            config.secrets.length > 0
              ? 'Now set ROLLCALL_SECRET to the same secret as for this command on every node, and restart every node.'
              : 'Restart running services now.';
          const text = `${present}Made new signing keys and removed ${plural(secondFactors, 'second factor')}. This is recorded in the activity log of ${plural(accounts, 'account')}. ${restart}`;
          print(options.json, { accounts, second_factors_removed: secondFactors }, text);
        },
        { needsSecret: true },
      ),
    );
}

/** Asks on a terminal. A script has to say `--yes`. */
async function confirm(warning: string): Promise<void> {
  if (!process.stdin.isTTY) throw new Failure('bad_parameter', `${warning} Add --yes to do it.`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const closed = new AbortController();
  terminal.once('close', () => closed.abort());
  // Ctrl-C and Ctrl-D close the terminal and count as another answer than yes.
  const answer = await terminal.question(`${warning} Type yes to do it: `, closed).catch(() => '');
  terminal.close();
  if (answer.trim() === 'yes') return;
  throw new Failure('conflict', 'Nothing was changed.');
}
