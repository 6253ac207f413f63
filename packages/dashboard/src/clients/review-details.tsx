import { Anchor, Box, Button, Group, Skeleton, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Assigned, WaitingRecord } from '#contract/clients/review.ts';
import { WAITING_STATUSES } from '#contract/clients/statuses.ts';
import { Notice } from '../components/notice.tsx';
import { useEnvironment } from '../environment.ts';
import { CLIENT_STATUS_LABELS, REQUEST_STATUS_LABELS } from '../labels.ts';
import { ClientDetails } from './client-details.tsx';
import { ClientHistory } from './client-history.tsx';
import { clientQuery } from './queries.ts';
import { assigneeText, WaitingTime } from './review-list.tsx';
import { queueOf } from './search.ts';
import { StatusLabel } from './status-label.tsx';
import { idOf } from './use-review-queue.ts';

/** What members who may change clients can do with the current one. */
export interface ReviewActions {
  complete(): void;
  decline(): void;
  assign(): void;
}

interface ReviewDetailsProps {
  item: WaitingRecord;
  me: string;
  assigned: Assigned | undefined;
  /** Missing if the member may only look. */
  actions: ReviewActions | undefined;
  /** Whether the actions are about those that are selected, and not about this one. */
  areSomeSelected: boolean;
}

/** What there is to know about the current client. What the list has is shown at once, and its history when it has arrived. */
export function ReviewDetails({ item, me, assigned, actions, areSomeSelected }: ReviewDetailsProps) {
  const environment = useEnvironment();
  const detail = useQuery(clientQuery(environment, idOf(item)));
  const client = detail.data?.client ?? item.client;
  const isWaiting = WAITING_STATUSES.includes(client.request_status);
  return (
    <Box component="section" className="review-details" aria-label="Current client">
      <Group justify="space-between" align="flex-start" wrap="nowrap" gap="sm">
        <Title order={2} size="h3" miw={0} style={{ overflowWrap: 'anywhere' }}>
          {client.client_name}
        </Title>
        <Anchor
          size="sm"
          flex="none"
          renderRoot={(props) => (
            <Link
              to="/$environment/clients/$referenceId"
              params={{ environment, referenceId: idOf(item) }}
              search={{ queue: queueOf(assigned) }}
              {...props}
            />
          )}
        >
          Open
        </Anchor>
      </Group>
      <Group gap="4px 20px" my="md" fz="sm">
        <StatusLabel status={client.request_status} />
        <Text size="sm" c="dimmed">
          {isWaiting && <WaitingTime item={item} />}
          {client.client_status === 'inactive' && `, ${CLIENT_STATUS_LABELS.inactive.toLowerCase()}`}
        </Text>
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          Assignee: {assigneeText(item.assignee?.email, me)}
        </Text>
      </Group>
      {isWaiting ? (
        actions && (
          // Its place is kept, so that nothing moves when a client is selected.
          <div className={areSomeSelected ? 'unseen' : ''}>
            <ReviewButtons isMine={item.assignee?.email === me} {...actions} />
          </div>
        )
      ) : (
        <Notice tone="warning">
          This client does not wait any more: somebody has changed it to {REQUEST_STATUS_LABELS[client.request_status]}.
        </Notice>
      )}
      <Box my="lg">
        <ClientDetails client={client} />
      </Box>
      <Title order={3} size="h5" mb="sm">
        History
      </Title>
      {detail.data ? (
        <ClientHistory events={detail.data.history} createdAt={client.created_at} />
      ) : detail.error ? (
        <Notice tone="error">{detail.error.message}</Notice>
      ) : (
        <Skeleton height={44} />
      )}
    </Box>
  );
}

export function ReviewButtons({ isMine, complete, decline, assign }: ReviewActions & { isMine: boolean }) {
  return (
    <Group gap="xs">
      <Button size="xs" onClick={complete} rightSection={<kbd className="key-hint key-on-filled">c</kbd>}>
        Complete
      </Button>
      <Button
        size="xs"
        variant="default"
        c="var(--mantine-color-error)"
        onClick={decline}
        rightSection={<kbd className="key-hint">d</kbd>}
      >
        Decline
      </Button>
      <Button size="xs" variant="default" onClick={assign} rightSection={<kbd className="key-hint">a</kbd>}>
        {isMine ? 'Unassign' : 'Assign to me'}
      </Button>
    </Group>
  );
}
