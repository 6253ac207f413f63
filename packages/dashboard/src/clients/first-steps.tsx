import { Button, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { AddedSample, OverviewRecord } from '#contract/clients/overview.ts';
import { focusHeading } from '../components/focus-heading.ts';
import { Section } from '../components/section.tsx';
import { countText } from '../count-text.ts';
import { useEnvironment } from '../environment.ts';
import { ENVIRONMENT_NAMES } from '../labels.ts';
import { notifyOnError } from '../notify-on-error.ts';
import { useSendChange } from '../use-send-change.ts';

type Done = Pick<OverviewRecord, 'clients' | 'has_keys' | 'has_calls'>;

/** Whether somebody who begins still has something to do here. */
export function hasFirstSteps({ clients, has_keys: hasKeys, has_calls: hasCalls }: Done): boolean {
  return clients === 0 || !hasKeys || !hasCalls;
}

/** What to do first, ticked off as it is done. */
export function FirstSteps({ done, hint }: { done: Done; hint: ReactNode }) {
  const environment = useEnvironment();
  const to = (path: '/$environment/import' | '/$environment/settings/api-credentials') => (props: object) => (
    <Link to={path} params={{ environment }} {...props} />
  );
  return (
    <Section title={`First steps in ${ENVIRONMENT_NAMES[environment]}`} description={hint}>
      <Stack component="ol" className="plain-list" gap="md">
        <Step
          title={environment === 'sandbox' ? 'Add sample clients, or import some' : 'Import your clients'}
          isDone={done.clients > 0}
        >
          {environment === 'sandbox' && <SampleButton />}
          <Button variant="default" size="xs" renderRoot={to('/$environment/import')}>
            Import clients
          </Button>
        </Step>
        <Step title="Create an API key for the program that will read them" isDone={done.has_keys}>
          <Button variant="default" size="xs" renderRoot={to('/$environment/settings/api-credentials')}>
            Create API key
          </Button>
        </Step>
        <Step title="Call the API; the page of the key shows a command to try" isDone={done.has_calls}>
          <Button variant="default" size="xs" renderRoot={to('/$environment/settings/api-credentials')}>
            Show API keys
          </Button>
        </Step>
      </Stack>
    </Section>
  );
}

function Step({ title, isDone, children }: { title: string; isDone: boolean; children?: ReactNode }) {
  const Icon = isDone ? IconCircleCheckFilled : IconCircle;
  return (
    <Group component="li" gap="sm" wrap="nowrap" align="flex-start">
      <Icon size={20} className={isDone ? 'step-done' : 'step-open'} aria-label={isDone ? 'Done' : 'To do'} />
      <Stack gap={6}>
        <Text size="sm" {...(isDone && { c: 'dimmed' })}>
          {title}
        </Text>
        {!isDone && children && <Group gap="xs">{children}</Group>}
      </Stack>
    </Group>
  );
}

function SampleButton() {
  const sendChange = useSendChange();
  const [adding, setAdding] = useState(false);
  const add = async () => {
    setAdding(true);
    try {
      const { added } = await sendChange<AddedSample>('POST', '/sandbox/samples');
      // The button has gone.
      focusHeading();
      notifications.show({ message: `${countText(added, 'sample client', 'sample clients')} added.` });
    } finally {
      setAdding(false);
    }
  };
  return (
    <Button size="xs" loading={adding} onClick={() => notifyOnError(add())}>
      Add sample clients
    </Button>
  );
}
