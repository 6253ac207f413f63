import { notifications } from '@mantine/notifications';
import type { BulkAnswer, UndoForm } from '#contract/clients/bulk-changes.ts';
import type { AssigneeRecord, ClientRecord } from '#contract/clients/clients.ts';
import type {
  AssignmentForm,
  DecisionAnswer,
  DecisionForm,
  ReviewAnswer,
  WaitingRecord,
} from '#contract/clients/review.ts';
import { ApiError } from '../api.ts';
import { useEnvironment } from '../environment.ts';
import { useSendChange } from '../use-send-change.ts';
import { canBePutBack, cannotBePutBackText, type Decided, type Decision, refusedText, whomText } from './decision.ts';
import { reasonDraft } from './reason-drafts.ts';
import { changeInTurn, inTurn } from './unconfirmed-changes.ts';
import { useReviewMessage } from './use-review-message.ts';
import { idOf, type useReviewQueue } from './use-review-queue.ts';

interface Me {
  member_id: number;
  email: string;
}

/**
 * Decides about clients and assigns them. The list follows at once, and the changes are sent one after the other. What is
 * refused or fails comes back. `onAwait` is told which client comes back after an undo.
 */
export function useReviewChanges(
  queue: ReturnType<typeof useReviewQueue>,
  me: Me,
  onAwait: (id: string | undefined) => void,
) {
  const environment = useEnvironment();
  const sendChange = useSendChange({ refetch: false });
  const message = useReviewMessage();

  const send = (clients: ClientRecord[], status: Decided, reason: string | undefined) => {
    const form: DecisionForm = {
      clients: clients.map(seenOf),
      request_status: status,
      ...(reason !== undefined && { reason }),
    };
    return sendChange<DecisionAnswer>('POST', `/${environment}/review/decisions`, form);
  };

  const sendUndo = (clients: ClientRecord[], version: number) => {
    const form: UndoForm = { reference_ids: clients.map((client) => client.reference_id), version };
    return sendChange<BulkAnswer>('POST', `/${environment}/clients/changes/undo`, form);
  };

  /** Waits for the answer, says what was refused, and returns the clients that were changed. */
  const outcome = async (
    clients: ClientRecord[],
    sent: Promise<Pick<ReviewAnswer, 'refused'>>,
  ): Promise<ClientRecord[]> => {
    const answer = await sent.catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
      tellRefused('Nothing was changed', `${whomText(clients)}: ${error.message}`);
      return undefined;
    });
    if (!answer) return [];
    const { refused } = answer;
    queue.refreshOthers();
    if (refused.length > 0) {
      const title = refused.length === clients.length ? 'Nothing was changed' : 'Some clients were not changed';
      tellRefused(title, refusedText(clients, refused));
      await queue.refresh();
    }
    const isRefused = new Set(refused.map((each) => each.reference_id));
    return clients.filter((client) => !isRefused.has(client.reference_id));
  };

  /** For each of the clients, until it was decided about. */
  const keepReason = (clients: readonly ClientRecord[], status: Decided, reason: string) => {
    for (const client of clients) reasonDraft(environment, client.reference_id, status).keep(reason);
  };

  const decide = (clients: ClientRecord[], status: Decided, reason: string | undefined) => {
    const decision: Decision = { clients, status, changed: [], version: null };
    message.begin(decision);
    const ids = new Set(clients.map((client) => client.reference_id));
    void changeInTurn({ environment, ids, apply: () => undefined }, async () => {
      const sent = send(clients, status, reason);
      const changed = await outcome(clients, sent);
      decision.changed = changed;
      if (changed.length > 0) decision.version = (await sent).version;
      const gone = new Set(changed.map((client) => client.reference_id));
      queue.remove(gone);
      keepReason(changed, status, '');
      if (changed.length > 0) message.tellDecided(decision, undo);
    });
  };

  /** Puts the clients of the last decision back. They are awaited in the list until that has succeeded or failed. */
  const undo = () => {
    const decision = message.lastDecision();
    if (!decision) return;
    if (!canBePutBack(decision)) {
      message.tell(
        `Nothing was undone: ${whomText(decision.clients)} cannot be put back, because ${cannotBePutBackText(decision.status)}`,
      );
      return;
    }
    message.forgetDecision();
    onAwait(decision.clients[0]?.reference_id);
    void inTurn(async () => {
      const { changed, version } = decision;
      // There is no version if the decision itself has failed.
      const back = version === null ? [] : await outcome(changed, sendUndo(changed, version));
      if (back.length === 0) return onAwait(undefined);
      message.tell(`Put back: ${whomText(back)}`);
      await queue.refresh();
    });
  };

  /** To the member, or to nobody if all of them are assigned to the member already. */
  const assign = (items: WaitingRecord[]) => {
    const isMine = items.every((item) => item.assignee?.member_id === me.member_id);
    const assignee: AssigneeRecord | null = isMine ? null : { member_id: me.member_id, email: me.email };
    const form: AssignmentForm = {
      clients: items.map((item) => ({ reference_id: idOf(item), seen_member_id: item.assignee?.member_id ?? null })),
      member_id: assignee?.member_id ?? null,
    };
    const apply = (item: WaitingRecord) => ({ ...item, assignee });
    void changeInTurn({ environment, ids: new Set(items.map(idOf)), apply }, async () => {
      const sent = sendChange<ReviewAnswer>('POST', `/${environment}/review/assignments`, form);
      const clients = items.map((item) => item.client);
      const changed = new Set(await outcome(clients, sent));
      const replaced = items.filter((item) => changed.has(item.client)).map(apply);
      queue.replace(new Map(replaced.map((item) => [idOf(item), item])));
      if (changed.size > 0) message.tell(`Assigned to ${assignee ? 'you' : 'nobody'}: ${whomText([...changed])}`);
    });
  };

  return {
    decide,
    undo,
    assign,
    keepReason,
    /** What was typed for these clients before. */
    typedReason: (clients: readonly ClientRecord[], status: Decided) =>
      clients
        .map((client) => reasonDraft(environment, client.reference_id, status).text())
        .find((text) => text !== '') ?? '',
  };
}

function tellRefused(title: string, message: string): void {
  notifications.show({ color: 'red', title, message });
}

function seenOf(client: ClientRecord): DecisionForm['clients'][number] {
  const { reference_id, group_token: _token, created_at: _time, ...seen } = client;
  return { reference_id, seen };
}
