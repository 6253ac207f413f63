import type { ClientRecord } from '../generated/api.ts';
import type { Rollcall } from '../rollcall.ts';
import { printPages } from './print-pages.ts';
import type { PrintedPage } from './printed-page.ts';
import type { ProcessIo } from './process-io.ts';
import type { AddCommand, UpdateCommand } from './write-command.ts';

/** Adds or changes a client, and prints it as `list` would. */
export async function writeClient(
  { clients }: Rollcall,
  command: AddCommand | UpdateCommand,
  io: ProcessIo,
): Promise<void> {
  const written =
    command.name === 'add'
      ? await clients.create(command.client)
      : await clients.update(command.referenceId, command.patch);
  await printPages(pageOf(written), command.format, io);
}

async function* pageOf(client: ClientRecord): AsyncGenerator<PrintedPage> {
  yield { results: [client] };
}
