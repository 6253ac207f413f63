import type { KeyRecord } from '#contract/credentials/keys.ts';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { useEnvironment } from '../environment.ts';
import { useSendChange } from '../use-send-change.ts';
import { keyPath } from './queries.ts';

export function RevokeKeyDialog({ record, onClose }: { record: KeyRecord; onClose(): void }) {
  const environment = useEnvironment();
  const sendChange = useSendChange();
  return (
    <ConfirmDialog
      title="Revoke this API key?"
      requiredText={record.name}
      action="Revoke API key"
      onClose={onClose}
      onConfirm={() => sendChange('DELETE', keyPath(environment, record.key_id))}
    >
      The key <b>{record.name}</b>, all its secrets and every access token created with them stop working within a
      second. This cannot be undone.
    </ConfirmDialog>
  );
}
