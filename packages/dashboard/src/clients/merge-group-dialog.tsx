import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useMemo, useState } from 'react';
import { type CountedGroup, type MergeAnswer, MergeForm } from '#contract/clients/groups.ts';
import { Dialog } from '../components/dialog.tsx';
import { FormProblem } from '../components/form-problem.tsx';
import { countText } from '../count-text.ts';
import { useEnvironment } from '../environment.ts';
import { quoted } from '../imported-from.ts';
import { useCheckedForm } from '../use-checked-form.ts';
import { useSendChange } from '../use-send-change.ts';
import { GroupTokenSelect } from './group-inputs.tsx';
import { groupsQuery } from './queries.ts';

/** Asks for the group into which this one is merged, says what will happen, and merges them. */
export function MergeGroupDialog({ group, onClose }: { group: CountedGroup; onClose(): void }) {
  const { merge, percent } = useMerge(group);
  const others = useOtherGroups(group);
  const nameOf = (token: string) => others.find((each) => each.group_token === token)?.group_name;
  const { inputProps, submit, problem, sending } = useCheckedForm({
    schema: MergeForm,
    initialValues: { into_token: '' },
    labels: { into_token: 'Merge into' },
    send: async ({ into_token }) => {
      const into = nameOf(into_token) ?? into_token;
      await merge(into_token);
      onClose();
      notifications.show({ message: `The group ${quoted(group.group_name)} was merged into ${quoted(into)}.` });
    },
  });
  const field = inputProps('into_token');
  const into = nameOf(field.value);
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
          <GroupTokenSelect
            label="Merge into"
            placeholder="Group"
            data-autofocus
            // The list would cover what the dialog says.
            openOnFocus={false}
            groups={others}
            readOnly={sending}
            description={<span className="keyboard-only">Ctrl/⌘ Enter merges.</span>}
            onKeyDown={(event) => confirmForGood(event, into !== undefined)}
            {...field}
          />
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {outcomeText(group, into)}
          </Text>
          {percent !== undefined && <Progress value={percent} aria-label="Merge progress" animated />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} disabled={sending}>
              Cancel
            </Button>
            <Button type="submit" color="red.8" loading={sending}>
              <Text span inherit truncate lh="md">
                {into === undefined ? 'Merge groups' : `Merge into ${into}`}
              </Text>
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

/**
 * Enter takes a group. Pressed once too often, it must not merge for good: only with Ctrl or ⌘ it sends the form. While the list is
 * open, it still takes the group that is marked there, which may be another one than the form would send.
 */
function confirmForGood(event: KeyboardEvent<HTMLInputElement>, hasGroup: boolean): void {
  if (event.key !== 'Enter') return;
  event.preventDefault();
  const takesAnother = hasGroup && event.currentTarget.hasAttribute('data-expanded');
  if ((event.ctrlKey || event.metaKey) && !event.repeat && !takesAnother) event.currentTarget.form?.requestSubmit();
}

function useOtherGroups({ group_token: token }: CountedGroup): readonly CountedGroup[] {
  const { data } = useQuery(groupsQuery(useEnvironment()));
  return useMemo(() => data?.groups.filter((each) => each.group_token !== token) ?? [], [data, token]);
}

function outcomeText({ clients, group_name: name }: CountedGroup, into: string | undefined): string {
  if (clients === 0) return `“${name}” has no clients. It is removed.`;
  const target = into === undefined ? 'the other group' : `“${into}”`;
  const move = `${countText(clients, 'client moves', 'clients move')} to ${target}`;
  const outcome = `${move}, and “${name}” is removed. The history of each client says so.`;
  return `${outcome} Programs that ask for “${name}” get no clients any more. This cannot be undone.`;
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
