import { Button, Group, Stack, Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ClientRecord } from '#contract/clients/clients.ts';
import { Dialog } from '../components/dialog.tsx';
import { sessionQuery } from '../session.ts';
import { canBePutBack, cannotBePutBackText, type Decided, whomText } from './decision.ts';
import { ReasonArea } from './reason-area.tsx';
import { REASON_MISSING } from './reason-input.tsx';
import { actionLabel } from './status-appearance.ts';
import { Whom } from './whom.tsx';

interface DecisionDialogProps {
  clients: ClientRecord[];
  status: Decided;
  /** With what the field begins, such as the reason of a decision that has failed. */
  typedReason: string;
  onDecide(reason: string | undefined): void;
  /** What was typed is given up then. */
  onClose(): void;
}

/** Asks for the reason, and decides. */
export function DecisionDialog(props: DecisionDialogProps) {
  const { clients, status, onClose } = props;
  return (
    <Dialog onClose={onClose} title={`${actionLabel(status)} ${whomText(clients)}?`}>
      <DecisionForm {...props} />
    </Dialog>
  );
}

function DecisionForm({ clients, status, typedReason, onDecide, onClose }: DecisionDialogProps) {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const [reason, setReason] = useState(typedReason);
  const [problem, setProblem] = useState<string>();
  const isRequired = status === 'declined' && session.requires_decline_reason;
  const canUndo = canBePutBack({ clients, status });

  const decide = () => {
    const given = reason.trim();
    if (isRequired && given === '') setProblem(REASON_MISSING);
    else onDecide(given || undefined);
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        decide();
      }}
    >
      <Stack>
        <Whom clients={clients} />
        {!canUndo && <Text size="sm">This cannot be undone: {cannotBePutBackText(status)}.</Text>}
        <ReasonArea
          description="Kept in the history."
          isRequired={isRequired}
          canUndo={canUndo}
          value={reason}
          error={problem}
          onChange={(text) => {
            setReason(text);
            setProblem(undefined);
          }}
          onConfirm={decide}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" {...(status === 'declined' && { color: 'red.8' })}>
            {actionLabel(status)}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
