import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { problemsOfKeyValues } from '#contract/credentials/key-values.ts';
import { type CreatedKey, CreateKeyForm, DEFAULT_SCOPES, type Scope } from '#contract/credentials/keys.ts';
import { Fold } from '../components/fold.tsx';
import { FormProblem } from '../components/form-problem.tsx';
import { Notice } from '../components/notice.tsx';
import { useEnvironment } from '../environment.ts';
import { useCheckedForm } from '../use-checked-form.ts';
import { useSendChange } from '../use-send-change.ts';
import { ExpiryInput } from './expiry-input.tsx';
import { KEY_FIELD_LABELS, type KeyFields } from './key-form.ts';
import { AccessInput, NetworksInput, NoteInput, RateLimitInput } from './key-inputs.tsx';
import { NewSecretDialog } from './new-secret-dialog.tsx';
import { keysQuery } from './queries.ts';

const EMPTY: KeyFields & { scopes: readonly Scope[] } = {
  name: '',
  scopes: DEFAULT_SCOPES,
  note: '',
  allowed_networks: [],
  expires_at: null,
  rate_limit: null,
};

export function CreateKeyDialog({ onClose }: { onClose(): void }) {
  const environment = useEnvironment();
  const keys = useQuery(keysQuery(environment));
  const sendChange = useSendChange({ refetch: false });
  const queries = useQueryClient();
  const [created, setCreated] = useState<CreatedKey>();
  const { form, inputProps, submit, problem, sending } = useCheckedForm({
    schema: CreateKeyForm,
    checkValues: problemsOfKeyValues,
    initialValues: EMPTY,
    labels: KEY_FIELD_LABELS,
    send: async (values) => {
      setCreated(await sendChange<CreatedKey>('POST', `/${environment}/keys`, values));
      // Not awaited, so that the secret is shown even if the list cannot be loaded.
      void queries.invalidateQueries();
    },
  });
  const hasFoldedProblem = ['allowed_networks', 'rate_limit', 'note'].some((field) => form.errors[field]);
  return (
    <NewSecretDialog
      title={created ? `API key “${created.name}” created` : 'Create API key'}
      sending={sending}
      created={created && { secret: created.api_key, scopes: form.values.scopes }}
      onClose={onClose}
    >
      <form onSubmit={submit} noValidate>
        <Stack>
          <FormProblem message={problem} />
          <TextInput
            label="Name"
            description="The program that will use the key, so that you know what stops working when you revoke it."
            placeholder="Billing export"
            data-autofocus
            {...form.getInputProps('name')}
          />
          <AccessInput {...inputProps('scopes')} />
          <ExpiryInput {...inputProps('expires_at')} />
          <Fold label="More options" attention={hasFoldedProblem ? form.errors : undefined}>
            <Stack>
              <NetworksInput {...inputProps('allowed_networks')} />
              <RateLimitInput {...inputProps('rate_limit')} defaultLimit={keys.data?.default_rate_limit} />
              <NoteInput {...inputProps('note')} />
            </Stack>
          </Fold>
          {environment === 'production' && (
            <Notice tone="plain">
              This key gives access to your real clients. To try things out, create a key in the sandbox.
            </Notice>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} disabled={sending}>
              Cancel
            </Button>
            <Button type="submit" loading={sending}>
              Create API key
            </Button>
          </Group>
        </Stack>
      </form>
    </NewSecretDialog>
  );
}
