import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { EmptyState } from '../components/empty-state.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { QueryContent } from '../components/query-content.tsx';
import { useEnvironment } from '../environment.ts';
import { ENVIRONMENT_NAMES } from '../labels.ts';
import { useCanEdit } from '../session.ts';
import { CreateKeyDialog } from './create-key-dialog.tsx';
import { KeyTable } from './key-table.tsx';
import { keysQuery } from './queries.ts';

/** The service stores the calls of keys every few seconds. */
const REFETCH_MS = 10_000;

export function ApiCredentialsPage() {
  const environment = useEnvironment();
  const canEdit = useCanEdit();
  const keys = useQuery({ ...keysQuery(environment), refetchInterval: REFETCH_MS });
  const [creating, setCreating] = useState(false);
  const create = canEdit && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
      Create API key
    </Button>
  );
  return (
    <>
      <PageHeader
        title="API keys"
        description={`Your programs exchange the secrets of these keys for access tokens, which work only in ${ENVIRONMENT_NAMES[environment]}.`}
        actions={create}
      />
      <QueryContent query={keys}>
        {({ keys }) =>
          keys.length === 0 ? (
            <EmptyState title={`No API keys in ${ENVIRONMENT_NAMES[environment]} yet`} action={create}>
              A program needs an API key to work with your clients. Copy its secret when you create it, because it is
              shown only once.
            </EmptyState>
          ) : (
            <KeyTable keys={keys} canEdit={canEdit} />
          )
        }
      </QueryContent>
      {creating && <CreateKeyDialog onClose={() => setCreating(false)} />}
    </>
  );
}
