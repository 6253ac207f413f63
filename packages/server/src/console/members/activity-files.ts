import type { ExportSlots } from '../../domain/clients/index.ts';
import type { Clock } from '../../domain/clock.ts';
import { Failure } from '../../domain/failure.ts';
import { type SigningDeps, signCheckpoint } from '../../domain/members/checkpoint.ts';
import {
  type ExportActivityDeps,
  openActivityExport,
  openFilteredExport,
  type ShownRecord,
} from '../../domain/members/export-activity.ts';
import type { ReadActivityDeps } from '../../domain/members/read-activity.ts';
import { activityLine, shownActivity } from '../../files/index.ts';
import { ActivityExportForm, CheckpointForm } from '../contract/members/activity.ts';
import { accountFileRoute, type ConsoleRoute } from '../define-route.ts';
import type { FileTimeouts } from '../file-stream.ts';
import { forSpreadsheets } from '../for-spreadsheets.ts';

interface ActivityFilesDeps extends ExportActivityDeps, ReadActivityDeps, SigningDeps {
  exportSlots: ExportSlots;
  fileTimeouts: FileTimeouts;
  clock: Clock;
}

const TYPES = { csv: 'text/csv; charset=utf-8', ndjson: 'application/x-ndjson; charset=utf-8' };

/** What the page shows or the whole log as a file, and the signed statement of where the log ends. */
export const activityFileRoutes = (deps: ActivityFilesDeps): ConsoleRoute[] => [
  accountFileRoute({
    path: '/console/activity/export',
    role: 'admin',
    proofTo: 'export the activity log',
    body: ActivityExportForm,
    timeouts: deps.fileTimeouts,
    handle: async ({ actor, body: { format = 'ndjson', ...filter }, signal }) => {
      if (format === 'ndjson' && Object.keys(filter).length > 0) throw wholeLogOnly();
      const leave = deps.exportSlots.take(actor);
      try {
        const { content, close } =
          format === 'csv'
            ? shown(await openFilteredExport(deps, actor, filter, signal))
            : whole(await openActivityExport(deps, actor, { accountId: actor.accountId, format }));
        return { name: `activity.${format}`, type: TYPES[format], content, close: () => close().finally(leave) };
      } catch (error) {
        leave();
        throw error;
      }
    },
  }),

  accountFileRoute({
    path: '/console/activity/checkpoint',
    role: 'admin',
    body: CheckpointForm,
    timeouts: deps.fileTimeouts,
    handle: async ({ actor }) => {
      const madeAt = deps.clock.now();
      const chains = await deps.activityChains.inSnapshot((read) => read.ends(actor.accountId));
      const signed = await signCheckpoint(deps, { madeAt, chains });
      const content = async function* () {
        yield `${JSON.stringify(signed)}\n`;
      };
      return { name: 'checkpoint.json', type: 'application/json', content: content(), close: async () => {} };
    },
  }),
];

function shown(records: AsyncGenerator<ShownRecord, void>) {
  return { content: forSpreadsheets(shownActivity(records)), close: async () => void (await records.return()) };
}

function whole({ records, close }: Awaited<ReturnType<typeof openActivityExport>>) {
  const content = async function* () {
    for await (const each of records) yield activityLine('ndjson', each);
  };
  return { content: content(), close };
}

function wholeLogOnly(): Failure {
  return new Failure(
    'bad_parameter',
    'Only CSV can be filtered. NDJSON has the whole log, so that it can be verified.',
  );
}
