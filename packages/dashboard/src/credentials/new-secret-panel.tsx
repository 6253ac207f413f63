import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Scope } from '#contract/credentials/keys.ts';
import { CopyBlock } from '../components/copy-block.tsx';
import { useEnvironment } from '../environment.ts';
import { sessionQuery } from '../session.ts';
import { exampleCommand } from './example-command.ts';
import { ExampleText } from './example-text.tsx';

export interface NewSecret {
  secret: string;
  scopes: readonly Scope[];
  /** What else there is to know about it. */
  note?: ReactNode;
}

/** Shows a new secret, which is possible only once, with a command that tries it out. */
export function NewSecretPanel({ secret, scopes, note, onDone }: NewSecret & { onDone(): void }) {
  const environment = useEnvironment();
  const { data: session } = useSuspenseQuery(sessionQuery);
  const address = session.addresses[environment];
  return (
    <Stack>
      <Text size="sm">
        Your program sends this secret to get access. Copy it now and store it in a safe place: Rollcall does not store
        it in a readable form, so <b>it cannot be shown again</b>.
      </Text>
      {note}
      <CopyBlock label="Secret" value={secret} hasFocus />
      {address && (
        <>
          <CopyBlock label="Try it" value={exampleCommand(address, secret, scopes)} />
          <Text size="sm" c="dimmed">
            <ExampleText scopes={scopes} /> Everything else is in the{' '}
            <Anchor href={`${address}/docs`} target="_blank" rel="noreferrer">
              API reference
            </Anchor>
            .
          </Text>
        </>
      )}
      <Group justify="flex-end" className="dialog-end">
        <Button onClick={onDone}>I have copied it</Button>
      </Group>
    </Stack>
  );
}
