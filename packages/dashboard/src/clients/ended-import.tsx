import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { ImportRecord } from '#contract/clients/imports.ts';
import { useEnvironment } from '../environment.ts';
import { findsChanges } from './import-check.ts';
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
    const isCompleted = ended.state === 'completed';
    const asks = ended.dry_run && findsChanges(ended, ended.keep_status ?? false);
    // Its import follows by itself.
    if (isCompleted && ended.dry_run && !asks) return;
    noteSeen(environment, ended.import_id);
    const isDone = isCompleted && !asks && ended.rejected === 0;
    notifications.show({
      color: isDone ? 'teal' : 'yellow',
      // What is left to do is not missed by whoever looks elsewhere.
      autoClose: isDone ? SHOWN_MS : false,
      title: titleOf(ended),
      message: `“${ended.file_name}”: ${countsText(ended)} The import page ${asks ? 'asks you what to do' : 'has the result'}.`,
    });
    void queries.invalidateQueries();
  }, [ended, environment, queries]);
  return null;
}

/** A check is told about only if no import follows. */
function titleOf(ended: ImportRecord): string {
  if (ended.state !== 'completed') return ended.dry_run ? 'The check stopped' : 'The import stopped';
  return ended.dry_run ? 'Not imported yet' : 'Import finished';
}
