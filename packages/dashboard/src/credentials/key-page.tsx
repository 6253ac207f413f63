import { Grid, Stack, Text } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { KeyDetails, KeyState } from '#contract/credentials/keys.ts';
import { CopyBlock } from '../components/copy-block.tsx';
import { Notice } from '../components/notice.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { RecordContent } from '../components/record-content.tsx';
import { Section } from '../components/section.tsx';
import { useEnvironment } from '../environment.ts';
import { sessionQuery, useCanEdit } from '../session.ts';
import { exampleCommand, SECRET_PLACEHOLDER } from './example-command.ts';
import { ExampleText } from './example-text.tsx';
import { IDLE_WARNING } from './idle-warning.ts';
import { KeyActions } from './key-actions.tsx';
import { KeyFacts } from './key-facts.tsx';
import { KeyListings } from './key-listings.tsx';
import { KeySecrets } from './key-secrets.tsx';
import { isUsable } from './key-state.ts';
import { KeyStateLabel, KeyStateTimes } from './key-state-label.tsx';
import { KeyUsageChart } from './key-usage-chart.tsx';
import { keyQuery } from './queries.ts';

const SECRETS_TEXT: Record<KeyState, string> = {
  active:
    'A program sends the secret to use the key. Rolling the key replaces the secret without an interruption for your programs.',
  rolling: 'Both secrets work until the old one ends. Replace the old one in your programs before then.',
  expired: 'No secret works, because the key has expired. Edit the key and choose a later expiry to use it again.',
  revoked: 'No secret works, because the key has been revoked.',
};

const CALLS_TEXT =
  'All calls to the API with this key, also exchanges for access tokens, imports and calls that failed.';

const LISTINGS_TEXT =
  'Lists, counts and single clients that this key was given, by day and filter. Other calls and those that failed are not among them. Emails and IDs are not recorded.';

const route = getRouteApi('/$environment/settings/api-credentials/$keyId');

export function KeyPage() {
  const environment = useEnvironment();
  const { keyId } = route.useParams();
  const key = useQuery(keyQuery(environment, keyId));
  return (
    <>
      <Text size="sm" mb={6}>
        <Link to="/$environment/settings/api-credentials" params={{ environment }} className="text-link">
          ← All API keys
        </Link>
      </Text>
      <RecordContent id={keyId} query={key} notFoundTitle="API key not found">
        {(record) => <Details record={record} />}
      </RecordContent>
    </>
  );
}

function Details({ record }: { record: KeyDetails }) {
  const canEdit = useCanEdit();
  return (
    <>
      <PageHeader
        title={record.name}
        description={<State record={record} />}
        actions={canEdit && <KeyActions record={record} />}
      />
      <Stack gap="lg">
        {record.idle && <Notice tone="warning">{IDLE_WARNING}</Notice>}
        <Grid gap="lg">
          <Grid.Col span={{ base: 12, lg: 7 }}>
            <Section title="Secrets" description={SECRETS_TEXT[record.state]}>
              <KeySecrets record={record} canEdit={canEdit} />
            </Section>
            <Section title="Calls" description={CALLS_TEXT} mt="lg">
              <KeyUsageChart usage={record} />
            </Section>
            <Section title="Clients requested" description={LISTINGS_TEXT} mt="lg">
              <KeyListings keyId={record.key_id} listings={record.listings} />
            </Section>
          </Grid.Col>
          <Grid.Col span={{ base: 12, lg: 5 }}>
            <Section title="Details">
              <KeyFacts record={record} />
            </Section>
          </Grid.Col>
        </Grid>
        {isUsable(record.state) && <TryIt record={record} />}
      </Stack>
    </>
  );
}

function State({ record }: { record: KeyDetails }) {
  return (
    <span className="key-state">
      <KeyStateLabel record={record} />
      <KeyStateTimes record={record} />
    </span>
  );
}

function TryIt({ record }: { record: KeyDetails }) {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const address = session.addresses[useEnvironment()];
  if (!address) return null;
  return (
    <Section
      title="Try it"
      description={
        <>
          Put the secret in place of {SECRET_PLACEHOLDER}. <ExampleText scopes={record.scopes} />
        </>
      }
    >
      <CopyBlock label="In a terminal" value={exampleCommand(address, SECRET_PLACEHOLDER, record.scopes)} />
    </Section>
  );
}
