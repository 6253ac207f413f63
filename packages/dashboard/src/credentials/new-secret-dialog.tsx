import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { type NewSecret, NewSecretPanel } from './new-secret-panel.tsx';

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
  // The secret is shown only once, so a stray click or key press must not close the dialog, not even before it arrives.
  const locked = sending || created !== undefined;
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size={created ? 'lg' : 'md'}
      centered
      closeOnClickOutside={!locked}
      closeOnEscape={!locked}
      withCloseButton={!sending}
    >
      {created ? <NewSecretPanel {...created} onDone={onClose} /> : children}
    </Modal>
  );
}
