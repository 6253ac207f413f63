import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { FILE_NAME_MAX_LENGTH, type ImportRecord } from '#contract/clients/imports.ts';
import { ApiError, queryString } from '../api.ts';
import { useEnvironment } from '../environment.ts';
import { useSendChange } from '../use-send-change.ts';
import { browserTimeZone } from './browser-time-zone.ts';
import { FileChanged, whileUnchanged } from './changed-file.ts';
import type { ChosenFile, SentChoices } from './import-file.ts';
import { forgetFile } from './kept-file.ts';
import { forgetSent, noteSent, useSentFile } from './sent-files.ts';
import { noteStarted } from './started-imports.ts';

interface StartOptions {
  replaces?: string | undefined;
  goesOn?: boolean;
}

/** Sends a file to be imported, or only checked. From then on the service works on it, with or without this page. */
export function useImport({ file, encoding }: ChosenFile, { fields, filled, dates, values, keepsStatus }: SentChoices) {
  const environment = useEnvironment();
  const sendChange = useSendChange({ refetch: false });
  const queries = useQueryClient();
  const sent = useSentFile(file);
  const [atFirst] = useState(sent);
  // What becomes of it while the member is elsewhere is shown when they come back, and what they have seen is not.
  useEffect(() => () => forgetSent(file), [file]);

  /**
   * A check goes on if an import follows it, and an import if it follows a check. What it replaces is a check that was made only
   * because an import should follow it.
   */
  const start = async (
    dryRun: boolean,
    { replaces, goesOn = false }: StartOptions = {},
  ): Promise<ImportRecord | undefined> => {
    noteSent(file, { state: 'sending', isCheck: dryRun, goesOn });
    // The end of a long name is kept, because it says what the file is.
    const name = file.name.slice(-FILE_NAME_MAX_LENGTH);
    const columns = fields?.map((field) => field ?? 'none').join(',');
    const query = queryString({
      file_name: name,
      encoding,
      dry_run: String(dryRun),
      replaces,
      keep_status: keepsStatus ? 'true' : undefined,
      columns,
      dates,
      time_zone: browserTimeZone(),
      values: values.length > 0 ? values.join('\n') : undefined,
      ...filled,
    });
    try {
      const send = () => sendChange<ImportRecord>('POST', `/${environment}/imports${query}`, file);
      const record = await whileUnchanged(file, send);
      noteSent(file, { state: 'arrived', record, goesOn: dryRun && goesOn });
      if (!dryRun || goesOn) noteStarted(environment, record.import_id);
      if (!dryRun) forgetFile(environment, file);
      return record;
    } catch (error) {
      const isKnown = error instanceof ApiError || error instanceof FileChanged;
      noteSent(file, isKnown ? { state: 'failed', error } : undefined);
      if (!isKnown) throw error;
      return undefined;
    } finally {
      // Also after a failure: if only the answer was lost, the import is listed.
      // What it has replaced is no longer there.
      await queries.invalidateQueries({
        queryKey: [environment, 'imports'],
        predicate: ({ queryKey }) => queryKey[2] !== replaces,
      });
    }
  };
  const sending = sent?.state === 'sending' ? sent : undefined;
  return {
    start,
    started: sent?.state === 'arrived' ? sent.record : undefined,
    /** What a check has found out is not true any more when something else was chosen. */
    forget: () => forgetSent(file),
    problem: sent?.state === 'failed' ? sent.error : undefined,
    sending: sending !== undefined,
    /** Whether it is on its way from the click through its check to the import. */
    goesOn: (sent?.state === 'sending' || sent?.state === 'arrived') && sent.goesOn,
    /** Set while it is being sent because the member had wanted that before they left the page. */
    sentBefore: sending === atFirst ? sending : undefined,
  };
}
