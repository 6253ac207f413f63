import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { PageHeader } from '../components/page-header.tsx';
import { RecordContent } from '../components/record-content.tsx';
import { Section } from '../components/section.tsx';
import { useEnvironment } from '../environment.ts';
import { ImportFacts } from './import-facts.tsx';
import { ImportStatus } from './import-status.tsx';
import { importQuery } from './queries.ts';

const route = getRouteApi('/$environment/import/$importId');

/** One import, while it runs and afterwards. */
export function ImportJobPage() {
  const environment = useEnvironment();
  const { importId } = route.useParams();
  const query = useQuery(importQuery(environment, importId));
  return (
    <>
      <Text size="sm" mb={6}>
        <Link to="/$environment/import" params={{ environment }} className="text-link">
          ← All imports
        </Link>
      </Text>
      <RecordContent id={importId} query={query} notFoundTitle="Import not found">
        {({ import: record }) => (
          <>
            <PageHeader title={record.file_name} />
            <Stack gap="lg">
              <ImportStatus importId={importId} />
              <Section title="Details">
                <ImportFacts record={record} />
              </Section>
            </Stack>
          </>
        )}
      </RecordContent>
    </>
  );
}
