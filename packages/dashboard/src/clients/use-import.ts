import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ImportAnswer } from '#contract/clients/clients.ts';
import { ApiError } from '../api.ts';
import { useEnvironment } from '../environment.ts';
import { useSendChange } from '../use-send-change.ts';
import { type ChosenFile, type ImportProgress, type ImportResult, importFile } from './import-file.ts';

const FILE_NAME_MAX_LENGTH = 300;

/** Imports a file or only checks it, and reports the progress. */
export function useImport(chosen: ChosenFile) {
  const { file } = chosen;
  const environment = useEnvironment();
  const sendChange = useSendChange({ refetch: false });
  const queries = useQueryClient();
  const [progress, setProgress] = useState<ImportProgress>();
  const [problem, setProblem] = useState<string>();
  const [running, setRunning] = useState(false);

  const run = async (dryRun: boolean): Promise<ImportResult | undefined> => {
    setProgress(undefined);
    setProblem(undefined);
    setRunning(true);
    const form = {
      import_id: crypto.randomUUID(),
      file_name: file.name.slice(0, FILE_NAME_MAX_LENGTH),
      dry_run: dryRun,
    };
    try {
      return await importFile(
        chosen,
        dryRun,
        (rows) => sendChange<ImportAnswer>('POST', `/${environment}/imports`, { ...form, rows }),
        setProgress,
      );
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setProblem(error.message);
      return undefined;
    } finally {
      await queries.invalidateQueries();
      setRunning(false);
    }
  };
  return { run, progress, problem, running };
}
