import type { RequestStatus } from '#contract/clients/index.ts';
import { REQUEST_STATUS_LABELS } from '../labels.ts';
import { STATUS_COLOURS } from './status-appearance.ts';

/** A dot in the colour of the status and its name, so that nobody has to tell colours apart. */
export function StatusLabel({ status }: { status: RequestStatus }) {
  return (
    <span className="status">
      <i style={{ background: STATUS_COLOURS[status] }} />
      {REQUEST_STATUS_LABELS[status]}
    </span>
  );
}
