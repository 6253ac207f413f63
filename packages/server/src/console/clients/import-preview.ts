import { Uploads } from '../../domain/clients/store-import.ts';
import { ConcurrencyLimit } from '../../domain/concurrency-limit.ts';
import { MAX_BYTES, previewSpreadsheet } from '../../files/read-spreadsheet.ts';
import { bodyStream } from '../../http/body-stream.ts';
import { bodyTimeout } from '../../http/read-body.ts';
import { PreviewRecord, UPLOAD_TYPE } from '../contract/clients/imports.ts';
import { type ConsoleRoute, workspaceRoute } from '../define-route.ts';

/** Each is held in memory as a whole until it has been read. */
const ARRIVING_MAX = { inAll: 4, ofAccount: 2 };
const ARRIVAL_MAX_MS = 60_000;

/** Reading one takes up to a few seconds, and as much memory as the workbook of an import. */
const READING = {
  atOnce: 1,
  waitingMax: ARRIVING_MAX.inAll,
  refusal: 'Too many requests: try again in a few seconds.',
};

/**
 * The beginning of an Excel workbook. A browser reads the beginnings of all other files itself, with the same code. Nothing of
 * it is stored.
 */
export const importPreviewRoute = (): ConsoleRoute => {
  const arriving = new Uploads(ARRIVING_MAX);
  const reading = new ConcurrencyLimit(READING);
  return workspaceRoute({
    methods: ['POST'],
    path: '/console/:environment/import-preview',
    role: 'admin',
    streamedBody: { maxBytes: MAX_BYTES, types: [UPLOAD_TYPE], codings: [] },
    data: PreviewRecord,
    handle: ({ request, actor: { accountId }, signal }) =>
      arriving.run(accountId, async () => {
        // All of it before its turn, so that nobody waits for somebody else's connection.
        const bytes = await Array.fromAsync(inTime(bodyStream(request, MAX_BYTES)));
        return reading.run(() => {
          signal.throwIfAborted();
          return previewSpreadsheet(bytes, signal);
        }, String(accountId));
      }),
  });
};

async function* inTime(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const until = performance.now() + ARRIVAL_MAX_MS;
  for await (const chunk of chunks) {
    if (performance.now() > until) throw bodyTimeout();
    yield chunk;
  }
}
