import { useNavigate } from '@tanstack/react-router';
import type { ClientRecord } from '#contract/clients/clients.ts';
import { useFromHere } from '../components/way-back.ts';
import { useEnvironment } from '../environment.ts';
import { useSendChange } from '../use-send-change.ts';
import { ClientDialog } from './client-dialog.tsx';

export function AddClientDialog({ onClose }: { onClose(): void }) {
  const environment = useEnvironment();
  const sendChange = useSendChange();
  const navigate = useNavigate();
  const fromHere = useFromHere();
  return (
    <ClientDialog
      title="Add client"
      submitLabel="Add client"
      initialValues={{ email: '', client_name: '', client_type: 'individual', group_name: '', external_id: '' }}
      isNew
      onClose={onClose}
      send={async (values) => {
        const { reference_id: referenceId } = await sendChange<ClientRecord>('POST', `/${environment}/clients`, values);
        await navigate({
          to: '/$environment/clients/$referenceId',
          params: { environment, referenceId },
          state: fromHere,
        });
        onClose();
      }}
    />
  );
}
