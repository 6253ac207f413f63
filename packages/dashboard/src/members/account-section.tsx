import { Checkbox } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AccountForm } from '#contract/members/account.ts';
import { QueryContent } from '../components/query-content.tsx';
import { Section } from '../components/section.tsx';
import { notifyOnError } from '../notify-on-error.ts';
import { sessionQuery } from '../session.ts';
import { useSendChange } from '../use-send-change.ts';
import { accountQuery } from './queries.ts';

/** The settings of the account. All members see them, and owners can change them. */
export function AccountSection() {
  const account = useQuery(accountQuery);
  const { data: session } = useSuspenseQuery(sessionQuery);
  const isOwner = session.role === 'owner';
  return (
    <Section
      title="Account settings"
      description={`These apply to both environments.${isOwner ? '' : ' Only owners can change them.'}`}
    >
      <QueryContent query={account} lines={1}>
        {(settings) => <Settings settings={settings} isOwner={isOwner} />}
      </QueryContent>
    </Section>
  );
}

function Settings({ settings, isOwner }: { settings: AccountForm; isOwner: boolean }) {
  const sendChange = useSendChange();
  const [sending, setSending] = useState(false);
  const send = (form: AccountForm) => {
    setSending(true);
    notifyOnError(sendChange('PATCH', '/account', form).finally(() => setSending(false)));
  };
  return (
    <Checkbox
      label="A reason is required to decline a client"
      description="In the dashboard, on the command line and through the API. An import may decline clients without one."
      checked={settings.requires_decline_reason}
      disabled={!isOwner || sending}
      onChange={(event) => send({ requires_decline_reason: event.currentTarget.checked })}
    />
  );
}
