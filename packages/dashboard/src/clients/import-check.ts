import type { ImportRecord } from '#contract/clients/imports.ts';
import { changesEmails } from './email-change-text.ts';
import { movesClients } from './group-change-text.ts';
import type { SentChoices } from './import-file.ts';
import { changesStatus } from './status-change-text.ts';

// A file may be older than what members have decided. What it would undo is told before it is imported.

/** Whether a file might undo what members have decided. */
export function needsCheck({ setsStatus, keepsStatus, mayMove }: SentChoices): boolean {
  return (setsStatus && !keepsStatus) || mayMove;
}

/** Whether a check has found what would be undone, so that a member has to choose. */
export function findsChanges(check: ImportRecord, keepsStatus: boolean): boolean {
  return movesClients(check) || changesEmails(check) || (changesStatus(check) && !keepsStatus);
}

/** Whether a check tells all about an import. If it did not keep statuses, it also does so for an import that does. */
export function tellsAbout({ keep_status: kept = false }: ImportRecord, keepsStatus: boolean): boolean {
  return keepsStatus || !kept;
}
