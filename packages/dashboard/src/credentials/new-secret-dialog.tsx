import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Dialog } from '../components/dialog.tsx';
import { useEnvironment } from '../environment.ts';
import { type NewSecret, NewSecretPanel } from './new-secret-panel.tsx';
import { keysQuery } from './queries.ts';

interface NewSecretDialogProps {
  title: string;
  /** True while the secret is being made. */
  sending: boolean;
  created: NewSecret | undefined;
  onClose(): void;
  /** The form that makes the secret. */
  children: ReactNode;
}

/** A dialog with a form that makes a secret, and then with the secret. */
export function NewSecretDialog({ title, sending, created, onClose, children }: NewSecretDialogProps) {
  const environment = useEnvironment();
  const queries = useQueryClient();
  const close = () => {
    // The secret may have been tried out while it was shown.
    if (created) void queries.invalidateQueries({ queryKey: keysQuery(environment).queryKey });
    onClose();
  };
  return (
    <Dialog
      onClose={close}
      title={title}
      size={created ? 'lg' : 'md'}
      isShownOnce={created !== undefined}
      // Not while the secret is being made, either: nobody would see it.
      closeOnClickOutside={!sending}
      closeOnEscape={!sending}
      withCloseButton={!sending}
    >
      {created ? <NewSecretPanel {...created} onDone={close} /> : children}
    </Dialog>
  );
}
