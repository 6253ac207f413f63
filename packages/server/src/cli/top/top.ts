import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { type Config, loadConfig } from '../../config.ts';
import { Failure, isFailure } from '../../domain/failure.ts';
import { interruptible } from '../interruption.ts';
import { examples, jsonOption } from '../options.ts';
import { print } from '../output.ts';
import { draw, type Screen } from './draw.ts';
import { FullScreen } from './full-screen.ts';
import { type Reading, readFrom } from './reading.ts';
import { viewOf } from './view.ts';

const REFRESH_MS = 2000;

/** A single view also needs two readings. */
const ONCE_MS = 1000;

const USUAL_SCREEN: Screen = { columns: 80, rows: 24 };

interface TopOptions {
  url?: string;
  once?: true;
  json?: true;
}

export function topCommand(): Command {
  return new Command('top')
    .description('Show what the running service is doing')
    .option('--url <url>', 'the address of its metrics (default: from the settings)')
    .option('--once', 'print one view and end; this is also done when the output is not a terminal')
    .addOption(jsonOption('print one view as JSON'))
    .addHelpText(
      'after',
      `\nThe service must be running with ROLLCALL_METRICS_PORT set. q ends the view.\n${examples('rollcall top', 'rollcall top --once --url http://127.0.0.1:9464/metrics')}`,
    )
    .action((options: TopOptions) =>
      interruptible(async (stop) => {
        try {
          await top(options, stop);
        } catch (error) {
          // A wait that was interrupted fails with another error.
          stop.throwIfAborted();
          throw error;
        }
      }),
    );
}

async function top({ url: given, once, json }: TopOptions, stop: AbortSignal): Promise<void> {
  const url = given === undefined ? configuredUrl(loadConfig()) : checkedUrl(given);
  const first = await readFrom(url, stop);
  if (!once && !json && process.stdout.isTTY) return showForever(url, first, stop);
  await sleep(ONCE_MS, undefined, { signal: stop });
  const view = viewOf(first, await readFrom(url, stop), Date.now() / 1000);
  print(json, view, draw(view, url, { columns: screen().columns, rows: Number.POSITIVE_INFINITY }).join('\n'));
}

async function showForever(url: string, first: Reading, stop: AbortSignal): Promise<void> {
  const quit = new AbortController();
  const ended = AbortSignal.any([quit.signal, stop]);
  const full = new FullScreen(() => quit.abort());
  try {
    full.show([`Reading ${url} …`]);
    for (let before = first; ; ) {
      await sleep(REFRESH_MS, undefined, { signal: ended });
      const now = await readOrShow(url, ended, full);
      if (!now) continue;
      full.show(draw(viewOf(before, now, Date.now() / 1000), url, screen()));
      before = now;
    }
  } catch (error) {
    if (!quit.signal.aborted) throw error;
  } finally {
    full.close();
  }
}

/** A service that does not answer may be restarting, so the view goes on. */
async function readOrShow(url: string, ended: AbortSignal, full: FullScreen): Promise<Reading | undefined> {
  try {
    return await readFrom(url, ended);
  } catch (error) {
    if (!isFailure(error, 'unavailable')) throw error;
    full.show([error.message, '', 'Trying again. q ends.']);
    return undefined;
  }
}

function screen(): Screen {
  const { columns = USUAL_SCREEN.columns, rows = USUAL_SCREEN.rows } = process.stdout;
  return { columns, rows };
}

function configuredUrl({ metrics }: Config): string {
  if (!metrics) {
    const message =
      'Metrics are off. Set ROLLCALL_METRICS_PORT, for example to 9464, restart the service and use the same setting here, or give an address with --url.';
    throw new Failure('unavailable', message);
  }
  if (metrics.port === 0) {
    throw new Failure(
      'unavailable',
      'The service chose the port of its metrics. Give the address that it printed with --url.',
    );
  }
  const everywhere: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };
  const host = everywhere[metrics.host] ?? (metrics.host.includes(':') ? `[${metrics.host}]` : metrics.host);
  return `http://${host}:${metrics.port}/metrics`;
}

function checkedUrl(given: string): string {
  const url = URL.parse(given);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new Failure('bad_parameter', '--url must be an address such as http://127.0.0.1:9464/metrics.');
  }
  if (url.pathname === '/') url.pathname = '/metrics';
  return url.href;
}
