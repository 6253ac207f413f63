import { Anchor, SimpleGrid, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { PageHeader } from '../components/page-header.tsx';
import { Section } from '../components/section.tsx';
import { ShortcutList } from '../components/shortcut-list.tsx';
import { useEnvironment } from '../environment.ts';
import { useApiReference } from '../session.ts';
import { TOPICS } from './guides.ts';
import { TOPIC_NAMES, type TopicName } from './topic-names.ts';

export function HelpPage() {
  return (
    <>
      <PageHeader
        title="Help"
        description="Everything here is part of your installation. Nothing is loaded from elsewhere."
      />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <Stack gap="md">
          {Object.entries(TOPIC_NAMES).map(([heading, names]) => (
            <Section key={heading} title={heading}>
              <Stack component="ul" className="plain-list" gap="sm">
                {names.map((name) => (
                  <GuideLink key={name} name={name} />
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

function GuideLink({ name }: { name: TopicName }) {
  const environment = useEnvironment();
  const { title, description } = TOPICS[name];
  return (
    <li>
      <Anchor
        size="sm"
        renderRoot={(props) => <Link to="/$environment/help/$topic" params={{ environment, topic: name }} {...props} />}
      >
        {title}
      </Anchor>
      <Text size="sm" c="dimmed">
        {description}
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
