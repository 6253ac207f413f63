import { notifications } from '@mantine/notifications';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { ClientRecord } from '#contract/clients/clients.ts';
import { type Assigned, BULK_MAX, type WaitingRecord } from '#contract/clients/review.ts';
import { WAITING_STATUSES } from '#contract/clients/statuses.ts';
import { useLeaveWarning } from '../components/use-leave-warning.ts';
import { useEnvironment } from '../environment.ts';
import { sessionQuery, useCanEdit } from '../session.ts';
import type { Decided } from './decision.ts';
import { clientQuery } from './queries.ts';
import { useFormerPlace } from './review-place.ts';
import { queueOf } from './search.ts';
import { expectMoreTyping } from './typed-on.ts';
import { useIsSending } from './unconfirmed-changes.ts';
import { useCurrent } from './use-current.ts';
import { useReviewChanges } from './use-review-changes.ts';
import { useReviewKeys } from './use-review-keys.ts';
import { idOf, useLookAhead, type useReviewQueue } from './use-review-queue.ts';

/** A decision that waits for its reason. */
interface OpenDecision {
  status: Decided;
  clients: ClientRecord[];
}

/** Which client is current, which are selected, and what can be done with them by key or with a button. */
export function useReview(
  queue: ReturnType<typeof useReviewQueue>,
  assigned: Assigned | undefined,
  items: WaitingRecord[],
  hasDetailsBelow: boolean,
) {
  const canEdit = useCanEdit();
  const { data: me } = useSuspenseQuery(sessionQuery);
  const current = useCurrent(items, { start: useFormerPlace(assigned), hasDetailsBelow });
  const changes = useReviewChanges(queue, me, current.awaitBack);
  const { selected, toggle, clear, deselect } = useSelection();
  const [decision, setDecision] = useState<OpenDecision>();
  const asSeen = useAsSeen(current.item);
  const open = useOpen(assigned);
  const { item, index } = current;
  useLookAhead({ ...queue, items }, index);
  usePrefetch(items[index + 1], items[index + 2]);
  useLeaveWarning(useIsSending());

  // Some may have left the list since they were selected.
  const marked = items.filter((each) => selected.has(idOf(each)));
  const chosen = marked.length === 0 && item ? [item] : marked;
  const mayAct = () => canEdit && current.isSeen() && !decision && chosen.length > 0;

  /** Whether the last key should have opened the dialog and was ignored. The Enter that follows was meant for the dialog. */
  const hasIgnored = useRef(false);
  const decide = (status: Decided) => {
    hasIgnored.current = canEdit && !current.isSeen();
    if (!mayAct()) return;
    const clients = chosen.map(asSeen);
    if (clients.every((client) => WAITING_STATUSES.includes(client.request_status))) setDecision({ status, clients });
    else {
      notifications.show({ message: 'This client does not wait any more.' });
      void queue.refresh();
    }
  };
  const closeDecision = () => {
    setDecision(undefined);
    current.focus();
    current.goOn();
  };
  const actions = {
    complete: () => decide('completed'),
    decline: () => decide('declined'),
    assign: () => {
      if (!mayAct()) return;
      current.goOn();
      changes.assign(chosen);
    },
  };
  const move = (by: 1 | -1) => {
    hasIgnored.current = false;
    current.move(by);
  };
  useReviewKeys({
    ...actions,
    next: () => move(1),
    previous: () => move(-1),
    open: () => {
      const isMeant = !hasIgnored.current;
      hasIgnored.current = false;
      if (item && isMeant && current.isSeen()) open(idOf(item));
    },
    select: () => void (item && mayAct() && toggle(idOf(item))),
    clearSelection: clear,
    undo: () => void (canEdit && changes.undo()),
  });
  return {
    ...{ canEdit, me, current, selected, marked, toggle, clear, actions },
    decision: decision && {
      ...decision,
      typedReason: changes.failedReason(decision.clients, decision.status),
      onDecide: (reason: string | undefined) => {
        closeDecision();
        if (reason !== undefined) expectMoreTyping();
        changes.decide(decision.clients, decision.status, reason);
        deselect(decision.clients.map((client) => client.reference_id));
      },
      onClose: () => {
        changes.forgetReason(decision.clients, decision.status);
        closeDecision();
      },
    },
  };
}

/** Which clients are selected, by their references. */
function useSelection() {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const toggle = useCallback(
    (id: string) =>
      setSelected((now) => {
        const next = new Set(now);
        if (!next.delete(id)) next.add(id);
        return next.size > BULK_MAX ? now : next;
      }),
    [],
  );
  return {
    selected,
    toggle,
    clear: () => setSelected(new Set()),
    deselect: (ids: readonly string[]) => setSelected((now) => now.difference(new Set(ids))),
  };
}

/** The clients as the member sees them: of the current one, the details may be newer than the list. */
function useAsSeen(item: WaitingRecord | undefined) {
  const environment = useEnvironment();
  const queries = useQueryClient();
  return (each: WaitingRecord): ClientRecord => {
    const detail = each === item && queries.getQueryData(clientQuery(environment, idOf(each)).queryKey);
    return detail ? detail.client : each.client;
  };
}

function useOpen(assigned: Assigned | undefined): (referenceId: string) => void {
  const environment = useEnvironment();
  const navigate = useNavigate();
  const search = { queue: queueOf(assigned) };
  return (referenceId) =>
    void navigate({ to: '/$environment/clients/$referenceId', params: { environment, referenceId }, search });
}

/** Those that are probably next are fetched already, so that nobody waits for them. */
function usePrefetch(...items: (WaitingRecord | undefined)[]): void {
  const environment = useEnvironment();
  const queries = useQueryClient();
  const ids = items.flatMap((item) => (item ? idOf(item) : [])).join(' ');
  useEffect(() => {
    for (const id of ids.split(' ')) if (id !== '') void queries.prefetchQuery(clientQuery(environment, id));
  }, [queries, environment, ids]);
}
