import { Checkbox } from '@mantine/core';
import { memo, type ReactNode } from 'react';
import type { WaitingRecord } from '#contract/clients/review.ts';
import { Time } from '../components/time.tsx';
import { idOf } from './use-review-queue.ts';

/** What the row of a client is marked with. Enter opens the client there, although it is a button. */
export const ROW_ATTRIBUTE = 'data-review-row';

interface ReviewListProps {
  items: WaitingRecord[];
  currentId: string | undefined;
  selected: ReadonlySet<string>;
  /** The email of the member who looks at the list. */
  me: string;
  canEdit: boolean;
  onChoose(id: string): void;
  onSelect(id: string): void;
  keepRow(id: string, row: HTMLElement | null): void;
  /** Shown below the current client, where there is no room beside the list. */
  details: ReactNode;
}

export function ReviewList({ items, currentId, selected, details, ...props }: ReviewListProps) {
  return (
    <ol className="surface review-list" aria-label="Clients that wait for a review">
      {items.map((item) => {
        const id = idOf(item);
        const isCurrent = id === currentId;
        return (
          <li key={id} className="review-item">
            <ReviewRow item={item} isCurrent={isCurrent} isSelected={selected.has(id)} {...props} />
            {isCurrent && details}
          </li>
        );
      })}
    </ol>
  );
}

type ReviewRowProps = Omit<ReviewListProps, 'items' | 'currentId' | 'selected' | 'details'> & {
  item: WaitingRecord;
  isCurrent: boolean;
  isSelected: boolean;
};

/** Only the current one is reached with Tab; the keys lead to the others. */
const ReviewRow = memo(function ReviewRow(props: ReviewRowProps) {
  const { item, isCurrent, isSelected, me, canEdit, onChoose, onSelect, keepRow } = props;
  const { client, assignee } = item;
  const tabIndex = isCurrent ? 0 : -1;
  return (
    <div className="review-row" data-current={isCurrent}>
      {canEdit && (
        <Checkbox
          size="xs"
          aria-label={`Select ${client.client_name}`}
          checked={isSelected}
          tabIndex={tabIndex}
          onChange={() => onSelect(idOf(item))}
        />
      )}
      <button
        type="button"
        className="review-choice"
        ref={(row) => keepRow(idOf(item), row)}
        tabIndex={tabIndex}
        aria-current={isCurrent}
        {...{ [ROW_ATTRIBUTE]: '' }}
        onClick={() => onChoose(idOf(item))}
      >
        <span className="review-line">
          <span className="review-name">{client.client_name}</span>
          <span className="review-text review-end">
            {/* The list is in this order. */}
            <AddedTime value={client.created_at} />
          </span>
        </span>
        <span className="review-line">
          <span className="review-text">{client.email}</span>
          {assignee && <span className="review-text review-end">{assigneeText(assignee.email, me)}</span>}
        </span>
        <span className="review-text">{client.group_name}</span>
      </button>
    </div>
  );
});

function AddedTime({ value }: { value: string }) {
  return (
    <>
      added <Time value={value} as="age" /> ago
    </>
  );
}

/** For how long the client has its status. If only an addition is known, that may have been elsewhere, long before the status. */
export function WaitingTime({ item: { client, since } }: { item: WaitingRecord }) {
  if (since === client.created_at) return <AddedTime value={since} />;
  return (
    <>
      for <Time value={since} as="age" />, <AddedTime value={client.created_at} />
    </>
  );
}

export function assigneeText(email: string | undefined, me: string): string {
  if (email === undefined) return 'Nobody';
  return email === me ? 'You' : email;
}
