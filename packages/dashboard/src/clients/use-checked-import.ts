import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useEnvironment } from '../environment.ts';
import { findsChanges, needsCheck, tellsAbout } from './import-check.ts';
import type { ChosenFile, SentChoices } from './import-file.ts';
import { importQuery, isOver } from './queries.ts';
import { useImport } from './use-import.ts';

/**
 * Imports a file. One that may change the status, the group or the email of clients is checked before, and goes on by itself only if
 * it would change none: what is older than a decision of a member must not replace it without a word.
 */
export function useCheckedImport(chosen: ChosenFile, sent: SentChoices) {
  const { start, started, forget, problem, sending, sentBefore } = useImport(chosen, sent);
  /** The check after which the import begins. */
  const [goesOnAfter, setGoesOnAfter] = useState<string>();
  /** The last check that nobody has asked for. It is not listed beside what follows it. */
  const [ownCheck, setOwnCheck] = useState<string>();
  const { data } = useQuery({
    ...importQuery(useEnvironment(), started?.import_id ?? ''),
    enabled: started !== undefined,
  });
  const latest = started && (data?.import ?? started);
  const hasEnded = latest !== undefined && isOver(latest);
  const check = latest?.dry_run && tellsAbout(latest, sent.keepsStatus) ? latest : undefined;
  /** The check that has told the member about changes. */
  const told = check?.state === 'completed' && findsChanges(check, sent.keepsStatus) ? check : undefined;

  useEffect(() => {
    if (goesOnAfter === undefined || latest?.import_id !== goesOnAfter || !isOver(latest)) return;
    setGoesOnAfter(undefined);
    if (latest.state === 'completed' && !findsChanges(latest, latest.keep_status ?? false))
      void start(false, goesOnAfter);
  }, [goesOnAfter, latest, start]);

  const importFile = async (): Promise<void> => {
    // What a check did not find may have come since, so only those who were told about changes go on without another one.
    const needsAnother = needsCheck(sent) && !told;
    const begun = await start(needsAnother, ownCheck);
    if (!needsAnother || !begun) return;
    setOwnCheck(begun.import_id);
    setGoesOnAfter(begun.import_id);
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
    told,
    isWorking: latest !== undefined && !hasEnded,
    /** Whether an import follows the check that is running. */
    goesOn: goesOnAfter !== undefined,
  };
}
