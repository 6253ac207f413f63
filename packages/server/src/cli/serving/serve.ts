import { Command, InvalidArgumentError, Option } from 'commander';
import {
  type Config,
  findRiskySettings,
  findUnknownSettings,
  LISTENERS,
  type ListenerName,
  withDemoLog,
} from '../../config.ts';
import { prepareSecret } from '../../domain/manage-secret.ts';
import { createSetUpLink } from '../../domain/members/index.ts';
import type { MetricsServer } from '../../metrics/metrics-server.ts';
import type { OtherWorkers, Service } from '../../service.ts';
import { type CommandContext, withStore } from '../context.ts';
import { examples, jsonOption } from '../options.ts';
import { print, printMessage } from '../output.ts';
import { createDemo, DEMO_EMAIL, type DemoCredentials } from './demo.ts';
import { keepNewObjectsTogether, setHeapGrowth } from './heap-settings.ts';
import { StopRequests, stopWithTimeout } from './stop.ts';
import { isWorker, PrimaryProcess, serveAsWorker } from './worker.ts';
import type { WorkerMetrics } from './worker-metrics.ts';
import { startWorkers } from './workers.ts';

interface ServeOptions {
  demo?: true;
  only: ListenerName[];
  json?: true;
}

/** How the service opens the store. */
const OF_SERVICE = { serving: true, mayCreate: true, needsSecret: true };

export function serveCommand(): Command {
  return new Command('serve')
    .description('Run the service until it is stopped')
    .option('--demo', 'on the first start, create a demo account with sample clients and a sandbox API key')
    .addOption(
      new Option('--only <listeners>', 'start only these listeners, separated by commas')
        .argParser(readListeners)
        .default([...LISTENERS], LISTENERS.join(',')),
    )
    .addOption(jsonOption('print the addresses as JSON'))
    .addHelpText('after', examples('rollcall serve --demo', 'rollcall serve --only production,dashboard --json'))
    .action((options: ServeOptions) => {
      if (isWorker) return serveWhenAsked(options);
      // Created before the store is opened and migrated, so that the store is closed whenever a signal arrives.
      const requests = new StopRequests();
      return withStore((context) => serve(context, options, requests), OF_SERVICE);
    });
}

/** Loads the program first, and opens the store when asked to serve, so that nothing it knows is older than that. */
async function serveWhenAsked(options: ServeOptions): Promise<void> {
  // Created first, because the request to stop may arrive at any time.
  const primary = new PrimaryProcess();
  await loadService();
  if (await primary.isToServe()) {
    await withStore((context) => {
      primary.drainSeconds = context.config.drainSeconds;
      return serveAsWorker(primary, (otherWorkers) => startInThisProcess(context, options, otherWorkers));
    }, OF_SERVICE);
  }
  primary.disconnect();
}

async function serve(context: CommandContext, options: ServeOptions, requests: StopRequests): Promise<void> {
  const { config } = context;
  const { workers, drainSeconds } = config;
  if (await requests.isRequested()) return;
  for (const warning of findUnknownSettings()) printMessage(`rollcall: ${warning}`);
  const madeSecret = context.store.secrets.isMissing;
  // Before the demo account is created, and once for all workers. Without a secret, it makes one or fails.
  await prepareSecret({ ...context.store, clock: context.clock });
  const demo = options.demo && (await createDemo(context));
  const service = await requests.unlessRequestedTwice(
    workers > 1 ? startWorkers(workers, await workerMetrics(config)) : startInThisProcess(context, options),
  );
  let metrics: MetricsServer | undefined;
  try {
    for (const warning of findRiskySettings(config, options.only)) printMessage(`rollcall: ${warning}`);
    metrics = await openMetrics(config, service);
    const addresses = { ...service.addresses, ...(metrics && { metrics: metrics.address }) };
    const setUpLink = await newSetUpLink(context, service);
    const ready = { ready: true, ...addresses, ...(setUpLink && { set_up: setUpLink }) };
    print(options.json, ready, startMessage(addresses, options, { demo, setUpLink, madeSecret }));
  } catch (error) {
    metrics?.close();
    await stopWithTimeout(service);
    throw error;
  }
  try {
    await requests.serve(service, drainSeconds);
  } finally {
    metrics?.close();
  }
}

/** Metrics are loaded only if they are on. */
async function workerMetrics({ metrics }: Config): Promise<WorkerMetrics | undefined> {
  if (!metrics) return undefined;
  const [{ WorkerMetrics }, { ownProcessMetrics }] = await Promise.all([
    import('./worker-metrics.ts'),
    import('../../metrics/own-process.ts'),
  ]);
  return new WorkerMetrics(ownProcessMetrics());
}

async function openMetrics({ metrics: place }: Config, { metrics }: Service): Promise<MetricsServer | undefined> {
  if (!place || !metrics) return undefined;
  const { openMetricsListener } = await import('./metrics-listener.ts');
  return openMetricsListener(place, metrics);
}

async function startInThisProcess(
  { config, store }: CommandContext,
  { only, demo }: ServeOptions,
  otherWorkers?: OtherWorkers,
): Promise<Service> {
  setHeapGrowth();
  keepNewObjectsTogether();
  const { startService } = await loadService();
  return startService(demo ? withDemoLog(config) : config, store, only, otherWorkers);
}

/** Imported here because no other command needs a web server, and loading it takes most of a second. */
function loadService() {
  return import('../../service.ts');
}

/** Browsers do not send what follows the `#`, so the token never reaches a log. */
async function newSetUpLink({ store, clock }: CommandContext, { addresses }: Service): Promise<string | undefined> {
  if (!addresses.dashboard) return undefined;
  const token = await createSetUpLink({ ...store, clock });
  return token && `${addresses.dashboard}/set-up#${token}`;
}

function readListeners(value: string): ListenerName[] {
  const names = value.split(',').map((name) => name.trim());
  if (names.some((name) => !LISTENERS.includes(name as ListenerName))) {
    throw new InvalidArgumentError(`The listeners are ${LISTENERS.join(', ')}; separate them by commas.`);
  }
  return [...new Set(names)] as ListenerName[];
}

interface FirstStart {
  demo: DemoCredentials | undefined;
  setUpLink: string | undefined;
  /** Whether the file of the secret was made by this start. */
  madeSecret: boolean;
}

function startMessage(
  addresses: Service['addresses'] & { metrics?: string },
  options: ServeOptions,
  { demo, setUpLink, madeSecret }: FirstStart,
): string {
  const lines = ['', '  Rollcall is running.', ''];
  for (const [name, address] of Object.entries(addresses)) lines.push(`  ${name.padEnd(11)} ${address}`);
  const { sandbox } = addresses;
  if (sandbox) lines.push('', `  API reference: ${sandbox}/docs`);
  if (madeSecret) lines.push('', '  Made the file rollcall.secret beside the database. Keep a copy of it elsewhere.');
  if (setUpLink) lines.push('', '  Set up the first account with this link, which works once:', '', setUpLink);
  if (demo) lines.push(...firstSteps(demo, sandbox));
  else if (options.demo) lines.push('', ...laterStart());
  return `${lines.join('\n')}\n`;
}

function firstSteps({ password, apiKey }: DemoCredentials, sandbox: string | undefined): string[] {
  return [
    '',
    '  A demo account with 250 sample clients in its sandbox was created. This is shown only once:',
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

/** The password and the key of the demo account were shown once. */
function laterStart(): string[] {
  return [
    '  The demo account already exists. To create another sandbox API key:',
    '',
    `npx rollcall key create --account ${DEMO_EMAIL} --environment sandbox --name "another key"`,
    '',
    '  To replace its password, if that is lost:',
    '',
    `npx rollcall member reset ${DEMO_EMAIL}`,
  ];
}
