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
import { REQUEST_STATUS_LABELS } from '../labels.ts';
import { useSendChange } from '../use-send-change.ts';
import { canBePutBack, type Decided, type Decision, refusedText, whomText, whyNotPutBack } from './decision.ts';
import { reasonDraft } from './reason-drafts.ts';
import { changeInTurn, inTurn } from './unconfirmed-changes.ts';
import { useReviewMessage } from './use-review-message.ts';
import { idOf, type useReviewQueue } from './use-review-queue.ts';

/** A client that was decided about is another case when it waits again. */
const DECIDED: Decided[] = ['completed', 'declined'];

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

  /** Returns the clients that were assigned, which are those that are still assigned as they were seen. */
  const sendAssignment = (items: WaitingRecord[], memberId: number | null): Promise<ClientRecord[]> => {
    const form: AssignmentForm = {
      clients: items.map((item) => ({ reference_id: idOf(item), seen_member_id: memberIdOf(item) })),
      member_id: memberId,
    };
    const sent = sendChange<ReviewAnswer>('POST', `/${environment}/review/assignments`, form);
    return outcome(
      items.map((item) => item.client),
      sent,
    );
  };

  /** For each of the clients. An empty one is forgotten. */
  const keepReason = (clients: readonly ClientRecord[], status: Decided, reason: string) => {
    for (const client of clients) reasonDraft(environment, client.reference_id, status).keep(reason);
  };

  const decide = (clients: ClientRecord[], status: Decided, reason: string | undefined) => {
    const decision: Decision = { clients, status, changed: [], version: null };
    const change = { undo: () => putBack(decision) };
    message.begin(change);
    // Until it is known that the decision has not failed.
    keepReason(clients, status, reason ?? '');
    const ids = new Set(clients.map((client) => client.reference_id));
    void changeInTurn({ environment, ids, apply: () => undefined }, async () => {
      const sent = send(clients, status, reason);
      const changed = await outcome(clients, sent);
      decision.changed = changed;
      if (changed.length > 0) decision.version = (await sent).version;
      const gone = new Set(changed.map((client) => client.reference_id));
      queue.remove(gone);
      for (const each of DECIDED) keepReason(changed, each, '');
      if (changed.length === 0) return;
      message.tellChanged(change, `${REQUEST_STATUS_LABELS[status]}: ${whomText(changed)}`, canBePutBack(decision));
    });
  };

  /** Undoes the last change. The clients are awaited in the list until that has succeeded or failed. */
  const undoInTurn = (first: string | undefined, done: string, work: () => Promise<ClientRecord[]>) => {
    message.forget();
    onAwait(first);
    void inTurn(async () => {
      const back = await work();
      if (back.length === 0) return onAwait(undefined);
      message.tell(`${done}: ${whomText(back)}`);
      await queue.refresh();
    });
  };

  const putBack = (decision: Decision) => {
    const { clients, status } = decision;
    if (!canBePutBack(decision)) {
      message.tell(`Nothing was undone: ${whyNotPutBack(whomText(clients), status)}`);
      return;
    }
    undoInTurn(clients[0]?.reference_id, 'Put back', async () => {
      const { changed, version } = decision;
      // There is no version if the decision itself has failed.
      return version === null ? [] : outcome(changed, sendUndo(changed, version));
    });
  };

  /** To the member, or to nobody if all of them are assigned to the member already. */
  const assign = (items: WaitingRecord[]) => {
    const isMine = items.every((item) => item.assignee?.member_id === me.member_id);
    const assignee: AssigneeRecord | null = isMine ? null : { member_id: me.member_id, email: me.email };
    const apply = (item: WaitingRecord) => ({ ...item, assignee });
    let former: WaitingRecord[] = [];
    const change = {
      undo: () => undoInTurn(items[0] && idOf(items[0]), 'Assigned as before', () => assignBack(former, apply)),
    };
    message.begin(change);
    void changeInTurn({ environment, ids: new Set(items.map(idOf)), apply }, async () => {
      const changed = new Set(await sendAssignment(items, assignee?.member_id ?? null));
      former = items.filter((item) => changed.has(item.client));
      queue.replace(new Map(former.map((item) => [idOf(item), apply(item)])));
      if (changed.size === 0) return;
      message.tellChanged(change, `Assigned to ${assignee ? 'you' : 'nobody'}: ${whomText([...changed])}`, true);
    });
  };

  /** Each client to whom it was assigned before, unless somebody has assigned it to another member meanwhile. */
  const assignBack = async (former: WaitingRecord[], apply: (item: WaitingRecord) => WaitingRecord) => {
    const back: ClientRecord[] = [];
    for (const [memberId, items] of Map.groupBy(former, memberIdOf)) {
      back.push(...(await sendAssignment(items.map(apply), memberId)));
    }
    return back;
  };

  return {
    decide,
    /** Undoes the last decision or assignment, and none before it. */
    undo: () => message.lastChange()?.undo(),
    assign,
    /** What was typed and not sent must not be in the history of a client later. */
    forgetReason: (clients: readonly ClientRecord[], status: Decided) => keepReason(clients, status, ''),
    /** That of the same decision about these clients, if it has failed. */
    failedReason: (clients: readonly ClientRecord[], status: Decided): string => {
      const [text = '', ...others] = new Set(
        clients.map((client) => reasonDraft(environment, client.reference_id, status).text()),
      );
      // What was typed for one of them need not be true of the others.
      return others.length > 0 ? '' : text;
    },
  };
}

function tellRefused(title: string, message: string): void {
  notifications.show({ color: 'red', title, message });
}

function memberIdOf({ assignee }: WaitingRecord): number | null {
  return assignee?.member_id ?? null;
}

function seenOf(client: ClientRecord): DecisionForm['clients'][number] {
  const { reference_id, group_token: _token, created_at: _time, ...seen } = client;
  return { reference_id, seen };
}
