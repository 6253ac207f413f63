import { Anchor, SimpleGrid, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { PageHeader } from '../components/page-header.tsx';
import { Section } from '../components/section.tsx';
import { ShortcutList } from '../components/shortcut-list.tsx';
import { useEnvironment } from '../environment.ts';
import { useApiReference } from '../session.ts';
import { TOPICS } from './guides.ts';
import { TOPIC_TITLES, type TopicName, titleOf } from './topic-names.ts';

export function HelpPage() {
  return (
    <>
      <PageHeader
        title="Help"
        description="Everything here is part of your installation. Nothing is loaded from elsewhere."
      />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <Stack gap="md">
          {Object.entries(TOPIC_TITLES).map(([heading, topics]) => (
            <Section key={heading} title={heading}>
              <Stack component="ul" className="plain-list" gap="sm">
                {(Object.keys(topics) as TopicName[]).map((topic) => (
                  <GuideLink key={topic} topic={topic} />
                ))}
                {heading === 'Calling the API' && <Reference />}
              </Stack>
            </Section>
          ))}
        </Stack>
        <Section title="Keyboard shortcuts">
          <ShortcutList />
        </Section>
      </SimpleGrid>
    </>
  );
}

function GuideLink({ topic }: { topic: TopicName }) {
  const environment = useEnvironment();
  return (
    <li>
      <Anchor
        size="sm"
        renderRoot={(props) => <Link to="/$environment/help/$topic" params={{ environment, topic }} {...props} />}
      >
        {titleOf(topic)}
      </Anchor>
      <Text size="sm" c="dimmed">
        {TOPICS[topic].description}
      </Text>
    </li>
  );
}

function Reference() {
  const reference = useApiReference();
  if (reference === undefined) return null;
  return (
    <li>
      <Anchor size="sm" href={reference} target="_blank" rel="noreferrer">
        API reference
      </Anchor>
      <Text size="sm" c="dimmed">
        Every endpoint with its parameters and answers, to try out (opens in a new tab)
      </Text>
    </li>
  );
}
