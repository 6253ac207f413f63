import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import type { CountedGroup } from '#contract/clients/groups.ts';
import { ApiError, CONFLICT, NOT_FOUND } from '../api.ts';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { countText } from '../count-text.ts';
import { useEnvironment } from '../environment.ts';
import { useSendChange } from '../use-send-change.ts';

/** How many of the groups are named, and one more if it would be the only other. */
const NAMED = 5;

interface DeleteEmptyGroupsDialogProps {
  groups: CountedGroup[];
  onClose(): void;
}

/** Deletes these groups one by one. One that has clients by now stays, and one that somebody else has deleted is no problem. */
export function DeleteEmptyGroupsDialog({ groups, onClose }: DeleteEmptyGroupsDialogProps) {
  const environment = useEnvironment();
  const sendChange = useSendChange({ refetch: false });
  const queries = useQueryClient();
  const deleteAll = async () => {
    let deleted = 0;
    try {
      for (const { group_token: token } of groups) {
        await sendChange('DELETE', `/${environment}/groups/${token}`).then(() => deleted++, ignoreChanged);
      }
    } finally {
      await queries.invalidateQueries();
    }
    notifications.show({ message: `${countText(deleted, 'empty group was', 'empty groups were')} deleted.` });
  };
  const names = groups
    .slice(0, groups.length === NAMED + 1 ? NAMED + 1 : NAMED)
    .map(({ group_name: name }) => `“${name}”`);
  const others = groups.length - names.length;
  if (others > 0) names.push(countText(others, 'other group', 'other groups'));
  return (
    <ConfirmDialog
      title="Delete all empty groups?"
      action={`Delete ${groups.length.toLocaleString()} groups`}
      onClose={onClose}
      onConfirm={deleteAll}
    >
      {new Intl.ListFormat('en').format(names)} have no clients. Their tokens will no longer be valid.
    </ConfirmDialog>
  );
}

function ignoreChanged(error: unknown): void {
  if (!(error instanceof ApiError) || ![CONFLICT, NOT_FOUND].includes(error.status)) throw error;
}
