import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type CountedGroup, type MergeAnswer, MergeForm } from '#contract/clients/groups.ts';
import { Dialog } from '../components/dialog.tsx';
import { FormProblem } from '../components/form-problem.tsx';
import { countText } from '../count-text.ts';
import { useEnvironment } from '../environment.ts';
import { useCheckedForm } from '../use-checked-form.ts';
import { useSendChange } from '../use-send-change.ts';
import { OtherGroupSelect } from './group-inputs.tsx';

/** Asks for the group into which this one is merged, says what will happen, and merges them. */
export function MergeGroupDialog({ group, onClose }: { group: CountedGroup; onClose(): void }) {
  const { merge, percent } = useMerge(group);
  const { inputProps, submit, problem, sending } = useCheckedForm({
    schema: MergeForm,
    initialValues: { into_token: '' },
    labels: { into_token: 'Merge into' },
    send: async ({ into_token }) => {
      await merge(into_token);
      onClose();
    },
  });
  const { value, ...props } = inputProps('into_token');
  return (
    <Dialog
      onClose={() => {
        if (!sending) onClose();
      }}
      title={`Merge group “${group.group_name}”`}
    >
      <form onSubmit={submit} noValidate>
        <Stack>
          <FormProblem message={problem} />
          <OtherGroupSelect
            label="Merge into"
            placeholder="Group"
            data-autofocus
            except={group.group_token}
            value={value || null}
            {...props}
            onChange={(token) => props.onChange(token ?? '')}
          />
          <Text size="sm">{outcomeText(group)}</Text>
          {percent !== undefined && <Progress value={percent} aria-label="Merge progress" animated />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} disabled={sending}>
              Cancel
            </Button>
            <Button type="submit" color="red.8" loading={sending}>
              Merge groups
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

function outcomeText({ clients, group_name: name }: CountedGroup): string {
  if (clients === 0) return `“${name}” has no clients. It is removed.`;
  const move = `${countText(clients, 'client moves', 'clients move')} to the other group`;
  return `${move}, and “${name}” is removed. The history of each client says so. This cannot be undone.`;
}

/** A group with many clients is merged in parts, so that no request takes long. */
function useMerge({ group_token: token, clients }: CountedGroup) {
  const environment = useEnvironment();
  const sendChange = useSendChange({ refetch: false });
  const queries = useQueryClient();
  const [left, setLeft] = useState<number>();
  const merge = async (into: string) => {
    const path = `/${environment}/groups/${token}/merge`;
    try {
      for (let continues = false; ; continues = true) {
        const answer = await sendChange<MergeAnswer>('POST', path, { into_token: into, continues });
        if (answer.left === 0) return;
        setLeft(answer.left);
      }
    } finally {
      setLeft(undefined);
      await queries.invalidateQueries();
    }
  };
  return { merge, percent: left === undefined ? undefined : Math.max(0, 100 - (100 * left) / clients) };
}
