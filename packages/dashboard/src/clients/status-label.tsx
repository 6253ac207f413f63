import { capitalised, STATUS_COLOUR, type Status } from './statuses.ts';

/** A dot of its colour and the word: nobody has to tell colours apart. */
export function StatusLabel({ status }: { status: Status }) {
  return (
    <span className="status">
      <i style={{ background: STATUS_COLOUR[status] }} />
      {capitalised(status)}
    </span>
  );
}
