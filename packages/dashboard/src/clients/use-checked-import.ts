import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useEnvironment } from '../environment.ts';
import type { ChosenFile, SentChoices } from './import-file.ts';
import { importQuery, isOver } from './queries.ts';
import { changesStatus } from './status-change-text.ts';
import { useImport } from './use-import.ts';

/**
 * Imports a file. One that may change the status of clients is checked before, and goes on by itself only if it would change none:
 * a status that is older than a decision of a member must not replace it without a word.
 */
export function useCheckedImport(chosen: ChosenFile, sent: SentChoices) {
  const { start, started, forget, problem, sending } = useImport(chosen, sent);
  /** The check after which the import begins. */
  const [goesOnAfter, setGoesOnAfter] = useState<string>();
  const { data } = useQuery({
    ...importQuery(useEnvironment(), started?.import_id ?? ''),
    enabled: started !== undefined,
  });
  const latest = started && (data?.import ?? started);
  const hasEnded = latest !== undefined && isOver(latest);
  // What a check says is true only for what it was told to do.
  const check = latest?.dry_run && (latest.keep_status ?? false) === sent.keepsStatus ? latest : undefined;

  useEffect(() => {
    if (goesOnAfter === undefined || latest?.import_id !== goesOnAfter || !isOver(latest)) return;
    setGoesOnAfter(undefined);
    if (latest.state === 'completed' && !changesStatus(latest)) void start(false);
  }, [goesOnAfter, latest, start]);

  const importFile = async (): Promise<void> => {
    if (!sent.setsStatus || sent.keepsStatus || check?.state === 'completed') await start(false);
    else setGoesOnAfter((await start(true))?.import_id);
  };
  return {
    importFile,
    checkFile: () => start(true),
    forget,
    problem,
    sending,
    latest,
    check,
    isWorking: latest !== undefined && !hasEnded,
    /** Whether an import follows the check that is running. */
    goesOn: goesOnAfter !== undefined,
  };
}
