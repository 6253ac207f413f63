import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useRef } from 'react';
import type { BulkAnswer, UndoForm } from '#contract/clients/bulk-changes.ts';
import type { ClientRecord } from '#contract/clients/clients.ts';
import type { RequestStatus } from '#contract/clients/index.ts';
import type {
  AssignmentForm,
  DecisionAnswer,
  DecisionForm,
  ReviewAnswer,
  WaitingRecord,
} from '#contract/clients/review.ts';
import { TRANSITIONS } from '#contract/clients/statuses.ts';
import { countText } from '../count-text.ts';
import { useEnvironment } from '../environment.ts';
import { REQUEST_STATUS_LABELS } from '../labels.ts';
import { notifyOnError } from '../notify-on-error.ts';
import { useSendChange } from '../use-send-change.ts';
import type { Decided } from './decision-dialog.tsx';
import { idOf, type useReviewQueue } from './use-review-queue.ts';

const UNDO_MS = 10_000;

interface Me {
  member_id: number;
  email: string;
}

/** Decides about clients and assigns them. The list follows without being fetched again, unless somebody else was faster. */
export function useReviewChanges(queue: ReturnType<typeof useReviewQueue>, me: Me) {
  const environment = useEnvironment();
  const sendChange = useSendChange({ refetch: false });
  const undo = useRef<() => void>(undefined);
  const toasts = useRef<{ plain?: string; undo?: string }>({});
  const isSending = useRef(false);

  const send = (clients: ClientRecord[], status: RequestStatus, reason?: string) => {
    const form: DecisionForm = {
      clients: clients.map(seenOf),
      request_status: status,
      ...(reason !== undefined && { reason }),
    };
    return sendChange<DecisionAnswer>('POST', `/${environment}/review/decisions`, form);
  };

  /** Says what has happened. The next such message takes its place, so that they do not pile up. */
  const tell = (message: string) => {
    if (toasts.current.plain) notifications.hide(toasts.current.plain);
    toasts.current.plain = notifications.show({ message });
  };

  /** The same, and offers to undo it, which is possible until the next such offer. */
  const tellWithUndo = (message: string, undoing: () => Promise<void>) => {
    const run = () => void notifyOnError(undoing());
    if (toasts.current.undo) notifications.hide(toasts.current.undo);
    undo.current = run;
    toasts.current.undo = notifications.show({
      message: <UndoMessage text={message} onUndo={run} />,
      autoClose: UNDO_MS,
      onClose: () => {
        if (undo.current === run) undo.current = undefined;
      },
    });
  };

  /** Notes what became of the clients. Returns those that were changed. */
  const follow = (clients: ClientRecord[], { refused }: ReviewAnswer): ClientRecord[] => {
    if (refused.length > 0) {
      const title = refused.length === clients.length ? 'Nothing was changed' : 'Some clients were not changed';
      notifications.show({ color: 'red', title, message: refusedText(clients, refused) });
      void queue.refresh();
    }
    queue.refreshOthers();
    const isRefused = new Set(refused.map((each) => each.reference_id));
    return clients.filter((client) => !isRefused.has(client.reference_id));
  };

  return {
    send,

    /** Returns the clients that have left the list. */
    follow: (clients: ClientRecord[], status: Decided, answer: DecisionAnswer, onBack: (id: string) => void) => {
      const changed = follow(clients, answer);
      queue.remove(new Set(changed.map((client) => client.reference_id)));
      const [first] = changed;
      if (!first) return changed;
      const former = first.request_status;
      const message = `${REQUEST_STATUS_LABELS[status]}: ${whomText(changed)}.`;
      const { version } = answer;
      if (version === null || !TRANSITIONS[status].includes(former)) tell(message);
      else {
        tellWithUndo(message, async () => {
          if (toasts.current.undo) notifications.hide(toasts.current.undo);
          const form: UndoForm = { reference_ids: changed.map((client) => client.reference_id), version };
          follow(changed, await sendChange<BulkAnswer>('POST', `/${environment}/clients/changes/undo`, form));
          await queue.refresh();
          onBack(first.reference_id);
        });
      }
      return changed;
    },

    undo: () => undo.current?.(),

    /** To the member, or to nobody if all of them are assigned to the member already. */
    assign: async (items: WaitingRecord[]) => {
      if (isSending.current || items.length === 0) return;
      isSending.current = true;
      const isMine = items.every((item) => item.assignee?.member_id === me.member_id);
      const assignee = isMine ? null : { member_id: me.member_id, email: me.email };
      const form: AssignmentForm = {
        clients: items.map((item) => ({
          reference_id: idOf(item),
          seen_member_id: item.assignee?.member_id ?? null,
        })),
        member_id: assignee?.member_id ?? null,
      };
      try {
        const answer = await sendChange<ReviewAnswer>('POST', `/${environment}/review/assignments`, form);
        const clients = items.map((item) => item.client);
        const changed = follow(clients, answer);
        const ids = new Set(changed.map((client) => client.reference_id));
        const replaced = items.filter((item) => ids.has(idOf(item))).map((item) => ({ ...item, assignee }));
        queue.replace(new Map(replaced.map((item) => [idOf(item), item])));
        if (changed.length > 0) tell(`Assigned to ${assignee ? 'you' : 'nobody'}: ${whomText(changed)}.`);
      } finally {
        isSending.current = false;
      }
    },
  };
}

function seenOf(client: ClientRecord): DecisionForm['clients'][number] {
  const { reference_id, group_token: _token, created_at: _time, ...seen } = client;
  return { reference_id, seen };
}

function whomText(clients: readonly ClientRecord[]): string {
  const [only] = clients;
  return clients.length === 1 && only ? only.client_name : countText(clients.length, 'client', 'clients');
}

/** Each reason once, with the clients that it is about. */
function refusedText(clients: readonly ClientRecord[], refused: ReviewAnswer['refused']): string {
  const nameOf = (id: string) => clients.find((client) => client.reference_id === id)?.client_name ?? id;
  const reasons = Map.groupBy(refused, ({ reason }) => reason);
  const about = (ids: string[]) =>
    ids.length === 1 ? nameOf(ids[0] ?? '') : countText(ids.length, 'client', 'clients');
  return [...reasons].map(([reason, each]) => `${about(each.map(({ reference_id: id }) => id))}: ${reason}`).join(' ');
}

function UndoMessage({ text, onUndo }: { text: string; onUndo(): void }) {
  return (
    <Group justify="space-between" gap="sm" wrap="nowrap">
      <span>{text}</span>
      <Button size="compact-xs" variant="default" flex="none" onClick={onUndo} rightSection={<kbd>u</kbd>}>
        Undo
      </Button>
    </Group>
  );
}
