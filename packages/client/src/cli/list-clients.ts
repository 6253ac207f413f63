import type { ClientsPage } from '../generated/api.ts';
import type { Rollcall } from '../rollcall.ts';
import type { ListCommand } from './command.ts';
import { printPages, terminalOf } from './print-pages.ts';
import type { ProcessIo } from './process-io.ts';
import { withProgress } from './progress.ts';

export async function listClients(
  rollcall: Rollcall,
  { request, all, quiet, format }: ListCommand,
  io: ProcessIo,
): Promise<void> {
  const { stderr } = io;
  const pages = all ? rollcall.clients.list(request).pages() : onePage(rollcall, request);
  const live = stderr.isTTY === true && !terminalOf(io);
  await printPages(quiet ? pages : withProgress(pages, { all, stderr, live }), format, io);
}

async function* onePage(rollcall: Rollcall, request: ListCommand['request']): AsyncGenerator<ClientsPage> {
  yield await rollcall.clients.page(request);
}
