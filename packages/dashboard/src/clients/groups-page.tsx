import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CountedGroup } from '#contract/clients/groups.ts';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { QueryContent } from '../components/query-content.tsx';
import { useEnvironment } from '../environment.ts';
import { quoted } from '../imported-from.ts';
import { useCanEdit } from '../session.ts';
import { useSendChange } from '../use-send-change.ts';
import { DeleteEmptyGroupsDialog } from './delete-empty-groups-dialog.tsx';
import { GroupDialog } from './group-dialog.tsx';
import { GroupList } from './group-list.tsx';
import type { GroupAction } from './group-table.tsx';
import { MergeGroupDialog } from './merge-group-dialog.tsx';
import { groupsQuery } from './queries.ts';

type OpenAction = { action: 'create' } | { action: 'delete-empty'; groups: CountedGroup[] } | GroupAction;

export function GroupsPage() {
  const groups = useQuery(groupsQuery(useEnvironment()));
  const canEdit = useCanEdit();
  const [open, setOpen] = useState<OpenAction>();
  const create = canEdit && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setOpen({ action: 'create' })}>
      Create group
    </Button>
  );
  const empty = groups.data?.groups.filter(({ clients }) => clients === 0) ?? [];
  return (
    <>
      <PageHeader
        title="Groups"
        description="Every client belongs to one group. A group keeps its token when it is renamed."
        actions={
          <>
            {canEdit && empty.length > 1 && (
              <Button variant="default" onClick={() => setOpen({ action: 'delete-empty', groups: empty })}>
                Delete {empty.length.toLocaleString()} empty groups…
              </Button>
            )}
            {create}
          </>
        }
      />
      <QueryContent query={groups}>
        {({ groups }) =>
          groups.length === 0 ? (
            <EmptyState title="No groups yet" action={create}>
              {canEdit
                ? 'Create your first group here. An import creates the groups that it needs.'
                : 'Owners and admins can create them. An import creates the groups that it needs.'}
            </EmptyState>
          ) : (
            <GroupList groups={groups} onAction={canEdit ? setOpen : undefined} />
          )
        }
      </QueryContent>
      {open && <OpenDialog {...open} onClose={() => setOpen(undefined)} />}
    </>
  );
}

function OpenDialog({ onClose, ...open }: OpenAction & { onClose(): void }) {
  if (open.action === 'create') return <GroupDialog group={undefined} onClose={onClose} />;
  if (open.action === 'delete-empty') return <DeleteEmptyGroupsDialog groups={open.groups} onClose={onClose} />;
  if (open.action === 'rename') return <GroupDialog group={open.group} onClose={onClose} />;
  if (open.action === 'merge') return <MergeGroupDialog group={open.group} onClose={onClose} />;
  return <DeleteGroupDialog group={open.group} onClose={onClose} />;
}

function DeleteGroupDialog({ group, onClose }: { group: CountedGroup; onClose(): void }) {
  const environment = useEnvironment();
  const sendChange = useSendChange();
  const deleteGroup = async () => {
    await sendChange('DELETE', `/${environment}/groups/${group.group_token}`);
    notifications.show({ message: `The group ${quoted(group.group_name)} was deleted.` });
  };
  return (
    <ConfirmDialog title="Delete this group?" action="Delete group" onClose={onClose} onConfirm={deleteGroup}>
      <b>{group.group_name}</b> has no clients. Its token will no longer be valid.
    </ConfirmDialog>
  );
}
