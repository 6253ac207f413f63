import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEnvironment } from '../environment.ts';
import { endOfImport } from './end-of-import.ts';
import { findsChanges, tellsAbout } from './import-check.ts';
import type { ChosenFile, SentChoices } from './import-file.ts';
import { importQuery, isOver } from './queries.ts';
import { noteOwnCheck, noteStays, ownCheckOf } from './sent-files.ts';
import { useImport } from './use-import.ts';

/**
 * Imports a file. It is checked before, and goes on by itself only if nothing was found that a member has to know: what is older than
 * a decision must not replace it without a word, nor a mistyped group double its clients.
 */
export function useCheckedImport(chosen: ChosenFile, sent: SentChoices) {
  const { start, started, forget, problem, sending, sentBefore, goesOn } = useImport(chosen, sent);
  const environment = useEnvironment();
  const queries = useQueryClient();
  const { data } = useQuery({ ...importQuery(environment, started?.import_id ?? ''), enabled: started !== undefined });
  const latest = started && (data?.import ?? started);
  const check = latest?.dry_run && tellsAbout(latest, sent.keepsStatus) ? latest : undefined;
  /** The check that has told the member about changes. */
  const told = check?.state === 'completed' && findsChanges(check, sent.keepsStatus) ? check : undefined;

  // It goes on when the member is on another page of the dashboard.
  const checkAndImport = async (): Promise<void> => {
    const begun = await start(true, { replaces: ownCheckOf(chosen.file), goesOn: true });
    if (!begun) return;
    noteOwnCheck(chosen.file, begun.import_id);
    const ended = await endOfImport(queries, environment, begun.import_id);
    const mayFollow = ended?.state === 'completed' && !findsChanges(ended, ended.keep_status ?? false);
    if (mayFollow) await start(false, { replaces: begun.import_id, goesOn: true });
    else noteStays(chosen.file);
  };
  const importFile = async (): Promise<void> => {
    // What a check did not find may have come since, so only those who were told about changes go on without another one.
    if (told) await start(false, { replaces: ownCheckOf(chosen.file) });
    else await checkAndImport();
  };
  return {
    importFile,
    checkFile: () => start(true),
    forget,
    problem,
    sending,
    sentBefore,
    latest,
    check,
    told: goesOn ? undefined : told,
    isWorking: goesOn || (latest !== undefined && !isOver(latest)),
    goesOn,
  };
}
