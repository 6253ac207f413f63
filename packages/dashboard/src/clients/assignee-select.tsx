import { Select } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AssigneeRecord, ClientRecord } from '#contract/clients/clients.ts';
import type { AssignmentForm, ReviewAnswer } from '#contract/clients/review.ts';
import { ApiError } from '../api.ts';
import { useSearchOptions } from '../components/use-search-options.ts';
import { useEnvironment } from '../environment.ts';
import { withFullStop } from '../full-stop.ts';
import { membersQuery } from '../members/index.ts';
import { notifyOnError } from '../notify-on-error.ts';
import { sessionQuery } from '../session.ts';
import { useSendChange } from '../use-send-change.ts';
import { beginChange, tellChange } from './change-message.tsx';

const CONFLICT = 409;

interface AssigneeSelectProps {
  client: ClientRecord;
  assignee: AssigneeRecord | null;
  /** When somebody was chosen, because the field is disabled then until the service has answered. */
  onChoose(): void;
}

/** Who reviews the client: a member of the account, or nobody. */
export function AssigneeSelect({ client, assignee, onChoose }: AssigneeSelectProps) {
  const members = useQuery(membersQuery);
  const assign = useAssign(client);
  const [sending, setSending] = useState(false);
  // Until the members are known, the one that is assigned is the only choice.
  const options: AssigneeRecord[] = members.data?.members ?? (assignee ? [assignee] : []);

  const choose = async (value: string | null) => {
    onChoose();
    setSending(true);
    try {
      await assign(assignee, options.find((member) => String(member.member_id) === value) ?? null);
    } finally {
      setSending(false);
    }
  };
  return (
    <Select
      aria-label="Assignee"
      placeholder="Nobody"
      w={240}
      maw="100%"
      styles={{ input: { fontWeight: 400 } }}
      data={options.map((member) => ({ value: String(member.member_id), label: member.email }))}
      value={assignee ? String(assignee.member_id) : null}
      onChange={(value) => notifyOnError(choose(value))}
      disabled={sending}
      clearable
      {...useSearchOptions(options)}
      clearButtonProps={{ 'aria-label': 'Assign to nobody' }}
      nothingFoundMessage="Nobody is called that"
    />
  );
}

/** Returns the function that assigns the client, says so, and offers to undo it, as the review does. */
function useAssign(client: ClientRecord): (from: AssigneeRecord | null, to: AssigneeRecord | null) => Promise<void> {
  const environment = useEnvironment();
  const sendChange = useSendChange();
  const { email: me } = useSuspenseQuery(sessionQuery).data;
  const { reference_id: referenceId, client_name: name } = client;
  const send = async (from: AssigneeRecord | null, to: AssigneeRecord | null) => {
    const form: AssignmentForm = {
      clients: [{ reference_id: referenceId, seen_member_id: from?.member_id ?? null }],
      member_id: to?.member_id ?? null,
    };
    const answer = await sendChange<ReviewAnswer>('POST', `/${environment}/review/assignments`, form);
    const [refused] = answer.refused;
    if (refused) throw new ApiError(CONFLICT, refused.reason);
  };
  const putBack = async (from: AssigneeRecord | null, to: AssigneeRecord | null) => {
    await send(from, to);
    tellChange({ text: withFullStop(`Assigned as before: ${name}`) });
  };
  return async (from, to) => {
    beginChange();
    await send(from, to);
    tellChange({
      text: withFullStop(`Assigned to ${whomAssigned(to, me)}: ${name}`),
      undo: () => void notifyOnError(putBack(to, from)),
    });
  };
}

function whomAssigned(assignee: AssigneeRecord | null, me: string): string {
  if (!assignee) return 'nobody';
  return assignee.email === me ? 'you' : assignee.email;
}
