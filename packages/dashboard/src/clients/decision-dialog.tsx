import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import { type ClientRecord, REASON_MAX_LENGTH } from '#contract/clients/clients.ts';
import type { RequestStatus } from '#contract/clients/index.ts';
import type { DecisionAnswer } from '#contract/clients/review.ts';
import { ApiError } from '../api.ts';
import { FormProblem } from '../components/form-problem.tsx';
import { countText } from '../count-text.ts';
import { useReason } from './reason-input.tsx';
import { actionLabel } from './status-appearance.ts';

export type Decided = Extract<RequestStatus, 'completed' | 'declined'>;

interface DecisionDialogProps {
  clients: ClientRecord[];
  status: Decided;
  send(reason: string | undefined): Promise<DecisionAnswer>;
  onDecided(answer: DecisionAnswer): void;
  onClose(): void;
}

/** Asks for the reason, and decides. Enter is enough to complete a client; to decline one, the reason is asked for first. */
export function DecisionDialog({ clients, status, send, onDecided, onClose }: DecisionDialogProps) {
  const { sendWithReason, onChange, ...reason } = useReason();
  const [problem, setProblem] = useState<string>();
  const [sending, setSending] = useState(false);
  const [only] = clients;
  const whom = clients.length === 1 && only ? only.client_name : countText(clients.length, 'client', 'clients');

  const decide = async () => {
    if (sending) return;
    setSending(true);
    setProblem(undefined);
    try {
      const answer = await sendWithReason(send);
      if (answer) onDecided(answer);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setProblem(error.message);
    } finally {
      setSending(false);
    }
  };
  const decideOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (!event.repeat) decide();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={`${actionLabel(status)} ${whom}?`}
      centered
      closeOnEscape={!sending}
      closeOnClickOutside={!sending}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          decide();
        }}
      >
        <Stack>
          {clients.length > 1 && <Text size="sm">{namesText(clients)}</Text>}
          <FormProblem message={problem} />
          <Textarea
            label="Reason"
            description="Kept in the history. Shift and Enter begin a new line."
            autosize
            minRows={2}
            maxRows={8}
            maxLength={REASON_MAX_LENGTH}
            autoComplete="off"
            onKeyDown={decideOnEnter}
            onChange={(event) => onChange(event.currentTarget.value)}
            {...(status === 'declined' && { 'data-autofocus': true })}
            {...reason}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} disabled={sending}>
              Cancel
            </Button>
            <Button type="submit" loading={sending} {...(status === 'completed' && { 'data-autofocus': true })}>
              {actionLabel(status)}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** More names would not be read. */
const NAMES_SHOWN = 5;

function namesText(clients: readonly ClientRecord[]): string {
  const names = clients.slice(0, NAMES_SHOWN).map((client) => client.client_name);
  const more = clients.length - names.length;
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ');
}
