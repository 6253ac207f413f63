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

/** Asks for the reason, and decides. Enter is enough for what can be undone; what cannot be takes Ctrl/⌘ Enter. */
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
  useLayoutEffect(() => {
    field.current?.focus();
    // What was typed before goes on at its end.
    field.current?.setSelectionRange(REASON_MAX_LENGTH, REASON_MAX_LENGTH);
  }, []);
  const canUndo = canBePutBack({ clients, status });

  const decide = () => {
    const given = reason.trim();
    if (isRequired && given === '') setProblem(REASON_MISSING);
    else onDecide(given || undefined);
  };
  const decideOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    // Whoever wants a new line must not decide for good by it.
    const confirms = event.ctrlKey || event.metaKey || (canUndo && !event.shiftKey);
    if (!confirms) return;
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
        {!canUndo && <Text size="sm">This cannot be undone: {cannotBePutBackText(status)}.</Text>}
        <Textarea
          ref={field}
          label={reasonLabel(isRequired)}
          description={
            <>
              Kept in the history.{' '}
              <span className="keyboard-only">
                {canUndo ? 'Shift+Enter starts a new line.' : 'Ctrl/⌘ Enter confirms.'}
              </span>
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
