import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { FILE_NAME_MAX_LENGTH, type ImportRecord } from '#contract/clients/imports.ts';
import { ApiError, queryString } from '../api.ts';
import { useEnvironment } from '../environment.ts';
import { useSendChange } from '../use-send-change.ts';
import { browserTimeZone } from './browser-time-zone.ts';
import type { ChosenFile, SentChoices } from './import-file.ts';
import { noteStarted } from './started-imports.ts';

/** Sends a file to be imported, or only checked. From then on the service works on it, with or without this page. */
export function useImport({ file, encoding }: ChosenFile, { fields, filled, dates, values, keepsStatus }: SentChoices) {
  const environment = useEnvironment();
  const sendChange = useSendChange({ refetch: false });
  const queries = useQueryClient();
  const [started, setStarted] = useState<ImportRecord>();
  const [problem, setProblem] = useState<string>();
  const [sending, setSending] = useState(false);

  const start = async (dryRun: boolean): Promise<ImportRecord | undefined> => {
    setProblem(undefined);
    setStarted(undefined);
    setSending(true);
    // The end of a long name is kept, because it says what the file is.
    const name = file.name.slice(-FILE_NAME_MAX_LENGTH);
    const columns = fields?.map((field) => field ?? 'none').join(',');
    const query = queryString({
      file_name: name,
      encoding,
      dry_run: String(dryRun),
      keep_status: keepsStatus ? 'true' : undefined,
      columns,
      dates,
      time_zone: browserTimeZone(),
      values: values.length > 0 ? values.join('\n') : undefined,
      ...filled,
    });
    try {
      const record = await sendChange<ImportRecord>('POST', `/${environment}/imports${query}`, file);
      setStarted(record);
      if (!dryRun) noteStarted(environment, record.import_id);
      return record;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setProblem(error.message);
      return undefined;
    } finally {
      setSending(false);
      // Also after a failure: if only the answer was lost, the import is listed.
      await queries.invalidateQueries({ queryKey: [environment, 'imports'] });
    }
  };
  /** What a check has found out is not true any more when something else was chosen. */
  const forget = () => setStarted(undefined);
  return { start, started, forget, problem, sending };
}
