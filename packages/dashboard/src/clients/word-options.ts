import type { WordColumn } from '#contract/clients/files.ts';
import { CLIENT_STATUS_LABELS, CLIENT_TYPE_LABELS, optionsOf, REQUEST_STATUS_LABELS } from '../labels.ts';

/** What can be chosen for the columns that accept only a few words. */
export const WORD_OPTIONS: Record<WordColumn, { value: string; label: string }[]> = {
  client_type: optionsOf(CLIENT_TYPE_LABELS),
  request_status: optionsOf(REQUEST_STATUS_LABELS),
  client_status: optionsOf(CLIENT_STATUS_LABELS),
};
