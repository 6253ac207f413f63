import type { ImportRecord } from '#contract/clients/imports.ts';
import { Actor } from '../components/actor.tsx';
import { Description, DescriptionList } from '../components/description-list.tsx';
import { Time } from '../components/time.tsx';
import { useEnvironment } from '../environment.ts';
import { durationText } from './time-left.ts';

const STATE_LABELS: Record<ImportRecord['state'], string> = {
  queued: 'Waiting',
  running: 'Running',
  completed: 'Finished',
  cancelled: 'Cancelled',
  failed: 'Stopped',
};

/** Who has started it, when, and how long it took. */
export function ImportFacts({ record }: { record: ImportRecord }) {
  const { started_at: started, ended_at: ended } = record;
  return (
    <DescriptionList>
      <Description name="State">
        {STATE_LABELS[record.state]}
        {record.dry_run && ', check only'}
      </Description>
      <Description name="Started by">
        <Starter record={record} />
      </Description>
      <Description name="Sent">
        <Time value={record.created_at} as="date-time-seconds" />
      </Description>
      {started && ended && (
        <Description name="Took">{durationText(Date.parse(ended) - Date.parse(started))}</Description>
      )}
      <Description name="Import ID">
        <code>{record.import_id}</code>
      </Description>
    </DescriptionList>
  );
}

export function Starter({ record }: { record: ImportRecord }) {
  return <Actor name={record.started_by} keyName={record.by_key} environment={useEnvironment()} />;
}
