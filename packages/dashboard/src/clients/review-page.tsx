import './review.css';
import { Button, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ASSIGNED_READ_MAX, type Assigned, BULK_MAX } from '#contract/clients/review.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { Notice } from '../components/notice.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { QueryContent } from '../components/query-content.tsx';
import { countText } from '../count-text.ts';
import { useEnvironment } from '../environment.ts';
import { optionsOf } from '../labels.ts';
import { DecisionDialog } from './decision-dialog.tsx';
import { waitingQuery } from './queries.ts';
import { type ReviewActions, ReviewDetails } from './review-details.tsx';
import { ReviewList } from './review-list.tsx';
import { ASSIGNED_LABELS } from './search.ts';
import { useReview } from './use-review.ts';
import { idOf, useReviewQueue } from './use-review-queue.ts';
import { waitingIn } from './waiting-count.tsx';

const route = getRouteApi('/$environment/review');

const TABS = [{ value: undefined, label: 'Everyone' }, ...optionsOf(ASSIGNED_LABELS)];

/** Where there is no room for the details beside the list. */
const NARROW = '(max-width: 61.99em)';

/** The clients that wait for a review, one after the other, for somebody who has both hands on the keyboard. */
export function ReviewPage() {
  const environment = useEnvironment();
  const { assigned } = route.useSearch();
  const { data: counts } = useQuery(waitingQuery(environment));
  const waiting = counts && countText(waitingIn(counts), 'client waits', 'clients wait');
  return (
    <>
      <PageHeader
        title="Review"
        description={waiting && `${waiting} for a review. Those that were added first come first.`}
      />
      <nav aria-label="Assigned to" className="status-tabs">
        {TABS.map(({ value, label }) => (
          <Link
            key={label}
            to="/$environment/review"
            params={{ environment }}
            search={{ assigned: value }}
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

function Queue({ assigned }: { assigned: Assigned | undefined }) {
  const queue = useReviewQueue(assigned);
  const isEmpty = queue.items.length === 0 && !queue.hasMore;
  return (
    <QueryContent query={queue.query} lines={12}>
      {() => (isEmpty ? <NothingWaits assigned={assigned} /> : <Work queue={queue} />)}
    </QueryContent>
  );
}

const NOTHING: Record<Assigned, [title: string, text: string]> = {
  me: ['No client waits for you', 'Clients that are assigned to you appear here while they wait for a review.'],
  nobody: ['No client is unassigned', 'Every client that waits for a review is assigned to somebody.'],
};

function NothingWaits({ assigned }: { assigned: Assigned | undefined }) {
  const [title, text] = assigned
    ? NOTHING[assigned]
    : ['No client waits for a review', 'Clients appear here when their request status is Pending.'];
  return <EmptyState title={title}>{text}</EmptyState>;
}

function Work({ queue }: { queue: ReturnType<typeof useReviewQueue> }) {
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false });
  const { canEdit, me, current, selected, marked, toggle, clear, actions, decision } = useReview(queue);
  const { item } = current;
  const details = item && (
    <ReviewDetails
      key={idOf(item)}
      item={item}
      me={me.email}
      actions={canEdit && marked.length === 0 ? actions : undefined}
    />
  );
  if (!item) return <MoreClients queue={queue} />;
  return (
    <>
      {queue.leavesOut && (
        <Notice tone="warning">
          Only the {ASSIGNED_READ_MAX.toLocaleString()} clients that were assigned to you last are looked at.
        </Notice>
      )}
      <div className="review">
        <div>
          <ReviewList
            items={queue.items}
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
          {marked.length > 0 && <SelectionBar count={marked.length} actions={actions} onClear={clear} />}
        </div>
        {!isNarrow && <div className="surface review-aside">{details}</div>}
      </div>
      {decision && <DecisionDialog {...decision} />}
    </>
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

function SelectionBar({ count, actions, onClear }: { count: number; actions: ReviewActions; onClear(): void }) {
  return (
    <div className="bulk-actions">
      <Text size="sm" fw={600}>
        {count} selected{count === BULK_MAX && ', which is as many as possible'}
      </Text>
      <Button size="compact-sm" onClick={actions.complete}>
        Complete
      </Button>
      <Button size="compact-sm" variant="default" onClick={actions.decline}>
        Decline
      </Button>
      <Button size="compact-sm" variant="default" onClick={actions.assign}>
        Assign
      </Button>
      <Button size="compact-sm" variant="subtle" onClick={onClear}>
        Clear
      </Button>
    </div>
  );
}
