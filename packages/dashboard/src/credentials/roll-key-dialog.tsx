import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type KeyDetails, OVERLAP_DEFAULT_SECONDS, type RolledKey, RollKeyForm } from '#contract/credentials/keys.ts';
import { FormProblem } from '../components/form-problem.tsx';
import { Notice } from '../components/notice.tsx';
import { Time } from '../components/time.tsx';
import { useEnvironment } from '../environment.ts';
import { useCheckedForm } from '../use-checked-form.ts';
import { useSendChange } from '../use-send-change.ts';
import { NewSecretDialog } from './new-secret-dialog.tsx';
import { keyPath } from './queries.ts';

const OVERLAPS = [
  { value: '0', label: 'It stops working at once' },
  { value: '3600', label: '1 hour' },
  { value: '86400', label: '24 hours' },
  { value: '604800', label: '7 days' },
  { value: '2592000', label: '30 days' },
];

export function RollKeyDialog({ record, onClose }: { record: KeyDetails; onClose(): void }) {
  const environment = useEnvironment();
  const sendChange = useSendChange({ refetch: false });
  const queries = useQueryClient();
  const [rolled, setRolled] = useState<RolledKey>();
  const { form, submit, problem, sending } = useCheckedForm({
    schema: RollKeyForm,
    initialValues: { overlap_seconds: OVERLAP_DEFAULT_SECONDS },
    labels: {},
    send: async (values) => {
      try {
        setRolled(await sendChange<RolledKey>('POST', `${keyPath(environment, record.key_id)}/roll`, values));
      } finally {
        // Also after an error: if only the answer was lost, the key has a new secret, and rolling again would end the one
        // that is in use. Not awaited, so that the new secret is shown even if the page cannot be loaded.
        void queries.invalidateQueries();
      }
    },
  });
  const atOnce = form.values.overlap_seconds === 0;
  return (
    <NewSecretDialog
      title={rolled ? `API key “${rolled.name}” has a new secret` : 'Roll this API key?'}
      sending={sending}
      created={rolled && { secret: rolled.api_key, scopes: record.scopes, note: <OldSecretNote rolled={rolled} /> }}
      onClose={onClose}
    >
      <form onSubmit={submit} noValidate>
        <Stack>
          <Text size="sm">
            <b>{record.name}</b> gets a new secret that works at once. Everything else about the key stays the same. The
            old secret works for the time that you choose, so that you can replace it in your programs without an
            interruption.
          </Text>
          <FormProblem message={problem} />
          <Select
            label="How long the old secret still works"
            data={OVERLAPS}
            allowDeselect={false}
            data-autofocus
            {...form.getInputProps('overlap_seconds')}
            value={String(form.values.overlap_seconds)}
            onChange={(seconds) => form.setFieldValue('overlap_seconds', Number(seconds))}
          />
          {atOnce && (
            <Notice tone="warning">
              Programs that use the old secret stop working until they have the new one. Choose this if somebody else
              may know the old secret.
            </Notice>
          )}
          <OlderSecretWarning record={record} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} disabled={sending}>
              Cancel
            </Button>
            <Button type="submit" loading={sending}>
              Roll API key
            </Button>
          </Group>
        </Stack>
      </form>
    </NewSecretDialog>
  );
}

/** At most two secrets of a key work at a time. */
function OlderSecretWarning({ record }: { record: KeyDetails }) {
  const [current, ...older] = record.secrets;
  const stillWorks = older.find(({ works }) => works);
  if (!current || !stillWorks) return null;
  return (
    <Notice tone="warning" title="This key is already being rolled">
      No more than two secrets work at a time. If you roll the key again, the older one,{' '}
      <span className="secret">{stillWorks.preview}</span>, stops working at once, and{' '}
      <span className="secret">{current.preview}</span> becomes the old secret.
    </Notice>
  );
}

function OldSecretNote({ rolled }: { rolled: RolledKey }) {
  const { old_secret_ends_at: endsAt, ended_preview: endedPreview } = rolled;
  return (
    <Notice tone="plain">
      {endsAt ? (
        <>
          The old secret works until <Time value={endsAt} />. Replace it in your programs before then.
        </>
      ) : (
        'The old secret no longer works.'
      )}
      {endedPreview && (
        <>
          {' '}
          The secret before it, <span className="secret">{endedPreview}</span>, has stopped working.
        </>
      )}
    </Notice>
  );
}
