import './guide.css';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { MouseEvent } from 'react';
import { NotFoundInEnvironment } from '../components/not-found-page.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { QueryContent } from '../components/query-content.tsx';
import { useEnvironment } from '../environment.ts';
import { TOPICS } from './guides.ts';
import { isTopic, type TopicName, titleOf } from './topic-names.ts';

const route = getRouteApi('/$environment/help/$topic');

export function GuidePage() {
  const { topic } = route.useParams();
  return isTopic(topic) ? <GuideOf topic={topic} /> : <NotFoundInEnvironment />;
}

function GuideOf({ topic }: { topic: TopicName }) {
  const environment = useEnvironment();
  const guide = useQuery({
    queryKey: ['guide', topic],
    queryFn: () => TOPICS[topic].load().catch(notLoaded),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <>
      <Text size="sm" mb={6}>
        <Link to="/$environment/help" params={{ environment }} className="text-link">
          ← Help
        </Link>
      </Text>
      <PageHeader title={titleOf(topic)} />
      <QueryContent query={guide} lines={10}>
        {({ html }) => <GuideText html={html} />}
      </QueryContent>
    </>
  );
}

function notLoaded(cause: unknown): never {
  throw new Error('Rollcall cannot be reached. Load the page again when it is back.', { cause });
}

/** The build has made the HTML from our own files. Its links to other guides have only a name, because it does not know the environment. */
function GuideText({ html }: { html: string }) {
  const environment = useEnvironment();
  const navigate = useNavigate();
  const follow = (event: MouseEvent<HTMLElement>) => {
    const link = event.target instanceof Element ? event.target.closest('a[data-topic]') : null;
    if (!(link instanceof HTMLAnchorElement) || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    const { topic = '' } = link.dataset;
    navigate({ to: '/$environment/help/$topic', params: { environment, topic }, hash: link.hash.slice(1) });
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of the links within it make clicks
    // biome-ignore lint/a11y/noStaticElementInteractions: only the links within it are clicked
    <div className="surface guide" onClick={follow} dangerouslySetInnerHTML={{ __html: html }} />
  );
}
