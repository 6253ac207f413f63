import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AssigneeRecord } from '#contract/clients/clients.ts';
import type { AssignmentForm, ReviewAnswer } from '#contract/clients/review.ts';
import { ApiError } from '../api.ts';
import { useEnvironment } from '../environment.ts';
import { membersQuery } from '../members/index.ts';
import { notifyOnError } from '../notify-on-error.ts';
import { useSendChange } from '../use-send-change.ts';
import { beginChange } from './change-message.tsx';

const CONFLICT = 409;

interface AssigneeSelectProps {
  referenceId: string;
  assignee: AssigneeRecord | null;
}

/** Who reviews the client: a member of the account, or nobody. */
export function AssigneeSelect({ referenceId, assignee }: AssigneeSelectProps) {
  const environment = useEnvironment();
  const sendChange = useSendChange();
  const members = useQuery(membersQuery);
  const [sending, setSending] = useState(false);
  // Until the members are known, the one that is assigned is the only choice.
  const options = members.data?.members ?? (assignee ? [assignee] : []);

  const assign = async (memberId: number | null) => {
    beginChange();
    setSending(true);
    try {
      const form: AssignmentForm = {
        clients: [{ reference_id: referenceId, seen_member_id: assignee?.member_id ?? null }],
        member_id: memberId,
      };
      const answer = await sendChange<ReviewAnswer>('POST', `/${environment}/review/assignments`, form);
      const [refused] = answer.refused;
      if (refused) throw new ApiError(CONFLICT, refused.reason);
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
      onChange={(value) => notifyOnError(assign(value === null ? null : Number(value)))}
      disabled={sending}
      clearable
      searchable
      clearButtonProps={{ 'aria-label': 'Assign to nobody' }}
      nothingFoundMessage="Nobody is called that"
    />
  );
}
