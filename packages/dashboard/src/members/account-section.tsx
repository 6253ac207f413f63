import { Checkbox, Stack } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AccountForm, AccountRecord } from '#contract/members/account.ts';
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
      <QueryContent query={account} lines={3}>
        {(settings) => <Settings settings={settings} isOwner={isOwner} />}
      </QueryContent>
    </Section>
  );
}

const SETTINGS: { name: keyof AccountRecord; label: string; description: string }[] = [
  {
    name: 'requires_decline_reason',
    label: 'A reason is required to decline a client',
    description:
      'In the dashboard, on the command line and through the API. An import may decline clients without one.',
  },
  {
    name: 'requires_second_factor',
    label: 'All members need a second factor',
    description: 'Members without one can do nothing but add it. API keys are not affected.',
  },
  {
    name: 'viewers_may_export',
    label: 'Viewers may export clients',
    description: 'As CSV files, including the rejected rows of imports. Owners and admins can always export them.',
  },
];

function Settings({ settings, isOwner }: { settings: AccountRecord; isOwner: boolean }) {
  const sendChange = useSendChange();
  const [sending, setSending] = useState(false);
  const send = (form: AccountForm) => {
    setSending(true);
    notifyOnError(sendChange('PATCH', '/account', form).finally(() => setSending(false)));
  };
  return (
    <Stack>
      {SETTINGS.map(({ name, label, description }) => (
        <Checkbox
          key={name}
          label={label}
          description={description}
          checked={settings[name]}
          disabled={!isOwner || sending}
          onChange={(event) => send({ [name]: event.currentTarget.checked })}
        />
      ))}
    </Stack>
  );
}
