import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import type { CreatedKey } from '#contract/credentials/keys.ts';
import { CopyBlock } from '../components/copy-block.tsx';
import { useEnvironment } from '../environment.ts';
import { sessionQuery } from '../session.ts';

/** Shows a new key, which is possible only once, with a command that tries it out. */
export function CreatedKeyPanel({ created, onDone }: { created: CreatedKey; onDone(): void }) {
  const environment = useEnvironment();
  const { data: session } = useSuspenseQuery(sessionQuery);
  const address = session.addresses[environment];
  return (
    <Stack>
      <Text size="sm">
        Copy the key now and store it in a safe place. Rollcall does not store it in a readable form, so{' '}
        <b>it cannot be shown again</b>.
      </Text>
      <CopyBlock label="API key" value={created.api_key} />
      {address && (
        <>
          <CopyBlock label="Try it" value={exampleCommand(address, created.api_key)} />
          <Text size="sm" c="dimmed">
            The second command lists your clients. Everything else is in the{' '}
            <Anchor href={`${address}/docs`} target="_blank" rel="noreferrer">
              API reference
            </Anchor>
            .
          </Text>
        </>
      )}
      <Group justify="flex-end">
        <Button onClick={onDone}>I have copied it</Button>
      </Group>
    </Stack>
  );
}

function exampleCommand(address: string, apiKey: string): string {
  return [
    `TOKEN=$(curl -s -H 'api-key: ${apiKey}' ${address}/api/v1/generate-access-token/ | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    `curl -s -H "Authorization: Bearer $TOKEN" '${address}/api/v1/clients-list/?page_limit=3'`,
  ].join('\n');
}
