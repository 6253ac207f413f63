import './review.css';
import { Button, Group, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ASSIGNED_READ_MAX, type Assigned, BULK_MAX, type WaitingRecord } from '#contract/clients/review.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { Notice } from '../components/notice.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { QueryContent } from '../components/query-content.tsx';
import { countText } from '../count-text.ts';
import { useEnvironment } from '../environment.ts';
import { optionsOf } from '../labels.ts';
import { DecisionDialog } from './decision-dialog.tsx';
import { waitingQuery } from './queries.ts';
import { type ReviewActions, ReviewButtons, ReviewDetails } from './review-details.tsx';
import { ReviewList } from './review-list.tsx';
import { ASSIGNED_LABELS, type QueueName, queueOf } from './search.ts';
import { useDockHeight } from './use-dock-height.ts';
import { useReview } from './use-review.ts';
import { idOf, useReviewQueue } from './use-review-queue.ts';
import { useShownClients } from './use-shown-clients.ts';
import { waitingIn } from './waiting-count.tsx';

const route = getRouteApi('/$environment/review');

const TABS = [{ value: undefined, label: 'Everyone' }, ...optionsOf(ASSIGNED_LABELS)];

/** Where there is no room for the details beside the list. */
const NARROW = '(max-width: 61.99em)';

/** The clients that wait for a review, one after the other, for somebody who has both hands on the keyboard. */
export function ReviewPage() {
  const environment = useEnvironment();
  const { assigned } = route.useSearch();
  return (
    <>
      <PageHeader title="Review" description={<Description assigned={assigned} />} />
      <nav aria-label="Assigned to" className="status-tabs">
        {TABS.map(({ value, label }) => (
          <Link
            key={label}
            to="/$environment/review"
            params={{ environment }}
            search={{ assigned: value }}
            // Otherwise “Everyone” would be current, too, because its address is a part of that of every tab.
            activeOptions={{ exact: true }}
            aria-current={value === assigned ? 'page' : undefined}
          >
            {label}
          </Link>
        ))}
      </nav>
      <Queue key={`${environment} ${assigned}`} assigned={assigned} />
    </>
  );
}

const WAITING: Record<QueueName, string> = {
  everyone: 'for review',
  me: 'for you',
  nobody: 'for review without being assigned to anybody',
};

/** How many clients the tab has. A line is kept free for it while they are loading. */
function Description({ assigned }: { assigned: Assigned | undefined }) {
  const { data: counts } = useQuery(waitingQuery(useEnvironment()));
  const queue = useReviewQueue(assigned);
  const items = useShownClients(queue.items, assigned);
  // Only those of everyone are counted by the service.
  const isWhole = assigned === undefined || !queue.hasMore;
  const count = assigned ? queue.query.data && items.length : counts && waitingIn(counts);
  // The page itself says that nobody waits.
  if (count === undefined || count === 0) return '\u00a0';
  const waiting = `${isWhole ? '' : 'More than '}${countText(count, 'client is waiting', 'clients are waiting')}`;
  const order = count > 1 ? ' Those added earliest come first.' : '';
  return `${waiting} ${WAITING[queueOf(assigned)]}.${order}`;
}

function Queue({ assigned }: { assigned: Assigned | undefined }) {
  const queue = useReviewQueue(assigned);
  // Together with the queue: what the service has confirmed leaves the changes and the queue in one rendering.
  const items = useShownClients(queue.items, assigned);
  return (
    <QueryContent query={queue.query} lines={12}>
      {() => <Work queue={queue} assigned={assigned} items={items} />}
    </QueryContent>
  );
}

const NOTHING: Record<QueueName, [title: string, text: string]> = {
  everyone: ['No client is waiting for review', 'Clients appear here when their request status is Pending.'],
  me: [
    'No client is waiting for you',
    'Clients that are assigned to you appear here while they are waiting for review.',
  ],
  nobody: ['No client is unassigned', 'Every client that is waiting for review is assigned to somebody.'],
};

function NothingWaits({ assigned }: { assigned: Assigned | undefined }) {
  const [title, text] = NOTHING[queueOf(assigned)];
  return <EmptyState title={title}>{text}</EmptyState>;
}

interface WorkProps {
  queue: ReturnType<typeof useReviewQueue>;
  assigned: Assigned | undefined;
  items: WaitingRecord[];
}

/** Also without any client, because the last decision can still be undone. */
function Work({ queue, assigned, items }: WorkProps) {
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false });
  const { canEdit, me, current, selected, marked, toggle, clear, actions, decision } = useReview(
    queue,
    assigned,
    items,
    isNarrow ?? false,
  );
  const dock = useDockHeight();
  const { item } = current;
  const details = item && (
    <ReviewDetails
      key={idOf(item)}
      item={item}
      me={me.email}
      assigned={assigned}
      actions={canEdit ? actions : undefined}
      areSomeSelected={marked.length > 0}
    />
  );
  if (items.length === 0 && !queue.hasMore) return <NothingWaits assigned={assigned} />;
  if (!item) return <MoreClients queue={queue} />;
  return (
    <>
      {queue.leavesOut && (
        <Notice tone="warning">
          Only the {ASSIGNED_READ_MAX.toLocaleString()} clients that were assigned to you last are looked at.
        </Notice>
      )}
      <KeyHints canEdit={canEdit} />
      <div className="review">
        <div>
          <ReviewList
            items={items}
            currentId={item && idOf(item)}
            selected={selected}
            me={me.email}
            canEdit={canEdit}
            onChoose={current.choose}
            onSelect={toggle}
            keepRow={current.keepRow}
            details={isNarrow && details}
          />
          <MoreClients queue={queue} />
        </div>
        {!isNarrow && <div className="surface review-aside">{details}</div>}
      </div>
      <div className="dock" ref={dock}>
        {marked.length > 0 && (
          <SelectionBar
            count={marked.length}
            isMine={marked.every(({ assignee }) => assignee?.member_id === me.member_id)}
            actions={actions}
            onClear={clear}
          />
        )}
      </div>
      {decision && <DecisionDialog {...decision} />}
    </>
  );
}

function KeyHints({ canEdit }: { canEdit: boolean }) {
  return (
    <Text size="xs" c="dimmed" mb={6} className="keyboard-only">
      <kbd>j</kbd> next, <kbd>k</kbd> previous,{' '}
      {canEdit && (
        <>
          <kbd>x</kbd> select,{' '}
        </>
      )}
      <kbd>?</kbd> all shortcuts
    </Text>
  );
}

function MoreClients({ queue }: { queue: ReturnType<typeof useReviewQueue> }) {
  if (!queue.hasMore) return null;
  return (
    <>
      {queue.isPaused && (
        <Text size="sm" mt="sm">
          Very many clients wait. Those that were looked at last are all assigned to somebody.
        </Text>
      )}
      <Button variant="default" mt="sm" fullWidth loading={queue.isLoadingMore} onClick={queue.loadMore}>
        {queue.isPaused ? 'Look further' : 'Show more'}
      </Button>
    </>
  );
}

interface SelectionBarProps {
  count: number;
  /** Whether all of them are assigned to the member. */
  isMine: boolean;
  actions: ReviewActions;
  onClear(): void;
}

/** What can be done with the selected clients, as below the list of clients. */
function SelectionBar({ count, isMine, actions, onClear }: SelectionBarProps) {
  return (
    <section className="selection-bar" aria-label="Selected clients">
      <Group gap={8}>
        <Text size="sm" fw={600} role="status">
          {count} selected{count === BULK_MAX && ', which is as many as possible'}
        </Text>
        <Button size="compact-xs" variant="subtle" onClick={onClear}>
          Clear selection
        </Button>
      </Group>
      <ReviewButtons isMine={isMine} {...actions} />
    </section>
  );
}
