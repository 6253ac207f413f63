import { ConcurrencyLimit } from '../../domain/concurrency-limit.ts';
import { MAX_BYTES, previewSpreadsheet } from '../../files/read-spreadsheet.ts';
import { bodyStream } from '../../http/body-stream.ts';
import { PreviewRecord, UPLOAD_TYPE } from '../contract/clients/imports.ts';
import { type ConsoleRoute, workspaceRoute } from '../define-route.ts';

/** Each takes up to a few seconds, and as much memory as the workbook of an import. */
const PREVIEWS = {
  atOnce: 1,
  waitingMax: 8,
  refusal: 'Too many requests: too many workbooks are being read at the same time. Try again in a few seconds.',
};

/**
 * The beginning of an Excel workbook. A browser reads the beginnings of all other files itself, with the same code. Nothing of
 * it is stored.
 */
export const importPreviewRoute = (): ConsoleRoute => {
  const previews = new ConcurrencyLimit(PREVIEWS);
  return workspaceRoute({
    methods: ['POST'],
    path: '/console/:environment/import-preview',
    role: 'admin',
    streamedBody: { maxBytes: MAX_BYTES, types: [UPLOAD_TYPE], codings: [] },
    data: PreviewRecord,
    handle: ({ request, workspaceId, signal }) =>
      previews.run(async () => {
        signal.throwIfAborted();
        const { columns, rows, total } = await previewSpreadsheet(bodyStream(request, MAX_BYTES), signal);
        return { columns, rows: rows.map(({ problem, ...row }) => ({ ...row, ...(problem && { problem }) })), total };
      }, String(workspaceId)),
  });
};
