import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useEnvironment } from '../environment.ts';
import { countsText } from './import-counts-text.ts';
import { importQuery, isOver } from './queries.ts';
import { noteSeen, unseenImport, useUnseenImport } from './started-imports.ts';

const SHOWN_MS = 10_000;

/** Tells a member who has started an import and gone to another page that it has ended. */
export function EndedImport() {
  const environment = useEnvironment();
  const isOnImports = useLocation({ select: ({ pathname }) => pathname.startsWith(`/${environment}/import`) });
  const queries = useQueryClient();
  const unseen = useUnseenImport(environment);
  const id = isOnImports ? undefined : unseen;
  const { data } = useQuery({ ...importQuery(environment, id ?? ''), enabled: id !== undefined });
  const ended = id !== undefined && data && isOver(data.import) ? data.import : undefined;
  useEffect(() => {
    if (!ended || unseenImport(environment) !== ended.import_id) return;
    noteSeen(environment, ended.import_id);
    const isCompleted = ended.state === 'completed';
    const isDone = isCompleted && ended.rejected === 0;
    notifications.show({
      color: isDone ? 'teal' : 'yellow',
      // What is left to do is not missed by whoever looks elsewhere.
      autoClose: isDone ? SHOWN_MS : false,
      title: isCompleted ? 'Import finished' : 'The import stopped',
      message: `“${ended.file_name}”: ${countsText(ended)} The import page has the result.`,
    });
    void queries.invalidateQueries();
  }, [ended, environment, queries]);
  return null;
}
