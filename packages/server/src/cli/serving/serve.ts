import { Command, InvalidArgumentError } from 'commander';
import { findUnknownSettings, LISTENERS, type ListenerName } from '../../config.ts';
import { createSetUpLink } from '../../domain/members/index.ts';
import type { Service, Siblings } from '../../service.ts';
import { type CommandContext, withStore } from '../context.ts';
import { jsonOption } from '../options.ts';
import { print, tell } from '../output.ts';
import { DEMO_EMAIL, type Demo, makeDemo } from './demo.ts';
import { growHeapByHalves } from './heap-growth.ts';
import { StopRequests, stopInTime } from './stop.ts';
import { isWorker, workUntilStopped } from './worker.ts';
import { startWorkers } from './workers.ts';

interface ServeOptions {
  demo?: true;
  only: ListenerName[];
  json?: true;
}

export function serveCommand(): Command {
  return new Command('serve')
    .description('Run the service until it is told to stop')
    .option('--demo', 'on the first start, make a demo account with sample clients and a sandbox key')
    .option('--only <listeners>', `any of ${LISTENERS.join(',')}`, readListeners, [...LISTENERS])
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nExamples:\n  $ rollcall serve --demo\n  $ rollcall serve --only production,dashboard --json',
    )
    .action((options: ServeOptions) => {
      // Before the store is opened and brought up to date, so that it is closed whenever the signal comes.
      const requests = isWorker ? undefined : new StopRequests();
      return withStore((context) => serve(context, options, requests), { serving: true, mayCreate: true });
    });
}

async function serve(context: CommandContext, options: ServeOptions, requests?: StopRequests): Promise<void> {
  const { workers, drainSeconds } = context.config;
  if (!requests) return workUntilStopped((siblings) => startHere(context, options, siblings), drainSeconds);
  if (await requests.isMade()) return;
  for (const warning of findUnknownSettings()) tell(`rollcall: ${warning}`);
  const demo = options.demo && (await makeDemo(context));
  const service = await requests.patiently(workers > 1 ? startWorkers(workers) : startHere(context, options));
  try {
    const setUpLink = await makeSetUpLink(context, service);
    const ready = { ready: true, ...service.addresses, ...(setUpLink && { set_up: setUpLink }) };
    print(options.json, ready, welcome(service, options, demo, setUpLink));
  } catch (error) {
    await stopInTime(service);
    throw error;
  }
  await requests.serve(service, drainSeconds);
}

async function startHere(
  { config, store }: CommandContext,
  { only }: ServeOptions,
  siblings?: Siblings,
): Promise<Service> {
  growHeapByHalves();
  // Imported here because no other command needs a web server, and loading one takes most of a second.
  const { startService } = await import('../../service.ts');
  return startService(config, store, only, siblings);
}

/** The token stands after the `#`, which browsers never send: no log on the way can hold it. */
async function makeSetUpLink({ store, clock }: CommandContext, { addresses }: Service): Promise<string | undefined> {
  if (!addresses.dashboard) return undefined;
  const token = await createSetUpLink({ ...store, clock });
  return token && `${addresses.dashboard}/set-up#${token}`;
}

function readListeners(value: string): ListenerName[] {
  const names = value.split(',').map((name) => name.trim());
  const wrong = names.find((name) => !LISTENERS.includes(name as ListenerName));
  if (wrong !== undefined)
    throw new InvalidArgumentError(`It takes any of ${LISTENERS.join(', ')}, separated by commas.`);
  return [...new Set(names)] as ListenerName[];
}

function welcome(
  { addresses }: Service,
  options: ServeOptions,
  demo: Demo | undefined,
  setUpLink: string | undefined,
): string {
  const lines = ['', '  Rollcall is running.', ''];
  for (const [name, address] of Object.entries(addresses)) lines.push(`  ${name.padEnd(11)} ${address}`);
  const { sandbox } = addresses;
  if (sandbox) lines.push('', `  API reference: ${sandbox}/docs`);
  if (setUpLink) lines.push('', '  Set up the first account here; the link works once:', '', setUpLink);
  if (demo) lines.push(...firstSteps(demo, sandbox));
  else if (options.demo) lines.push('', ...anotherKey());
  return `${lines.join('\n')}\n`;
}

function firstSteps({ password, apiKey }: Demo, sandbox: string | undefined): string[] {
  return [
    '',
    '  A demo account was made, with 250 sample clients in its sandbox. Shown only now:',
    '',
    `  owner       ${DEMO_EMAIL}`,
    `  password    ${password}`,
    `  sandbox key ${apiKey}`,
    ...(sandbox ? ['', '  Try it:', '', ...curlLines(sandbox, apiKey)] : []),
  ];
}

function curlLines(address: string, apiKey: string): string[] {
  const token = `TOKEN=$(curl -s -H 'api-key: ${apiKey}' ${address}/api/v1/generate-access-token/ | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`;
  const list = `curl -s -H "Authorization: Bearer $TOKEN" '${address}/api/v1/clients-list/?request_status=completed&page_limit=3'`;
  return [token, list];
}

function anotherKey(): string[] {
  return [
    '  The demo account is there already. For another sandbox key:',
    '',
    `npx rollcall key create --account ${DEMO_EMAIL} --environment sandbox --name "another key"`,
  ];
}
