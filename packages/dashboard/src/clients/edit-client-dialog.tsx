import { notifications } from '@mantine/notifications';
import type { ClientRecord } from '#contract/clients/clients.ts';
import { quoted } from '../imported-from.ts';
import { ClientDialog } from './client-dialog.tsx';
import { useUpdateClient } from './use-update-client.ts';

export function EditClientDialog({ client, onClose }: { client: ClientRecord; onClose(): void }) {
  const updateClient = useUpdateClient(client);
  const { email, client_name, client_type, group_name, external_id } = client;
  return (
    <ClientDialog
      title="Edit client"
      submitLabel="Save"
      initialValues={{ email, client_name, client_type, group_name, external_id }}
      onClose={onClose}
      send={async (values) => {
        await updateClient(values);
        onClose();
        notifications.show({ message: `The changes to ${quoted(values.client_name)} were saved.` });
      }}
    />
  );
}
