import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import { type ClientRecord, REASON_MAX_LENGTH } from '#contract/clients/clients.ts';
import { Dialog } from '../components/dialog.tsx';
import { sessionQuery } from '../session.ts';
import { canBePutBack, cannotBePutBackText, type Decided, whomText } from './decision.ts';
import { REASON_MISSING, reasonLabel } from './reason-input.tsx';
import { actionLabel } from './status-appearance.ts';

interface DecisionDialogProps {
  clients: ClientRecord[];
  status: Decided;
  /** What was typed before, when the dialog was closed or the decision failed. */
  typedReason: string;
  onType(reason: string): void;
  onDecide(reason: string | undefined): void;
  onClose(): void;
}

/** Asks for the reason, and decides. Enter is enough where no reason is required. */
export function DecisionDialog(props: DecisionDialogProps) {
  const { clients, status, onClose } = props;
  return (
    <Dialog onClose={onClose} title={`${actionLabel(status)} ${whomText(clients)}?`}>
      <DecisionForm {...props} />
    </Dialog>
  );
}

function DecisionForm({ clients, status, typedReason, onType, onDecide, onClose }: DecisionDialogProps) {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const [reason, setReason] = useState(typedReason);
  const [problem, setProblem] = useState<string>();
  const field = useRef<HTMLTextAreaElement>(null);
  const isRequired = status === 'declined' && session.requires_decline_reason;
  // At once, because the next key may follow before the dialog moves the focus by itself. Never to the button: the first space of
  // a reason would press it, and the letters after it would be shortcuts for the next client.
  useLayoutEffect(() => field.current?.focus(), []);

  const decide = () => {
    const given = reason.trim();
    if (isRequired && given === '') setProblem(REASON_MISSING);
    else onDecide(given || undefined);
  };
  const decideOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (!event.repeat) decide();
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
        {!canBePutBack({ clients, status }) && (
          <Text size="sm">This cannot be undone: {cannotBePutBackText(status)}.</Text>
        )}
        <Textarea
          ref={field}
          label={reasonLabel(isRequired)}
          description={
            <>
              Kept in the history. <span className="keyboard-only">Shift+Enter starts a new line.</span>
            </>
          }
          required={isRequired}
          autosize
          minRows={2}
          maxRows={8}
          maxLength={REASON_MAX_LENGTH}
          autoComplete="off"
          value={reason}
          error={problem}
          onKeyDown={decideOnEnter}
          onChange={(event) => {
            setReason(event.currentTarget.value);
            onType(event.currentTarget.value);
            setProblem(undefined);
          }}
          data-autofocus
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

/** Names are not unique, so that of a single client is not enough. */
function Whom({ clients }: { clients: readonly ClientRecord[] }) {
  const [only, ...others] = clients;
  if (!only || others.length > 0) return <Text size="sm">{namesText(clients)}</Text>;
  return (
    <div>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {only.email}
      </Text>
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        Group: {only.group_name}
      </Text>
    </div>
  );
}

/** More names would not be read. */
const NAMES_SHOWN = 5;

function namesText(clients: readonly ClientRecord[]): string {
  const names = clients.slice(0, NAMES_SHOWN).map((client) => client.client_name);
  const more = clients.length - names.length;
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ');
}
