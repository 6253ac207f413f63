import type { ClientsPage } from '../generated/api.ts';
import type { Rollcall } from '../rollcall.ts';
import type { ListCommand } from './command.ts';
import { FORMATS } from './formats.ts';
import { write } from './output.ts';
import type { ProcessIo } from './process-io.ts';
import { withProgress } from './progress.ts';

export async function listClients(
  rollcall: Rollcall,
  { request, all, quiet, format }: ListCommand,
  { env, stdout, stderr }: ProcessIo,
): Promise<void> {
  const terminal = stdout.isTTY ? { columns: stdout.columns ?? 80, colour: !env.NO_COLOR } : undefined;
  const pages = all ? rollcall.clients.list(request).pages() : onePage(rollcall, request);
  const watched = quiet ? pages : withProgress(pages, { all, stderr, live: stderr.isTTY === true && !terminal });
  const formatted = FORMATS[format ?? (terminal ? 'table' : 'ndjson')](watched, terminal);
  for await (const text of formatted) await write(stdout, text);
}

async function* onePage(rollcall: Rollcall, request: ListCommand['request']): AsyncGenerator<ClientsPage> {
  yield await rollcall.clients.page(request);
}
