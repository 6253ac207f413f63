import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { COLUMNS } from '#contract/clients/files.ts';
import {
  CORRECTIONS_MAX,
  type CorrectionAnswer,
  type ImportEffects,
  type RejectedRow,
} from '#contract/clients/imports.ts';
import { ApiError } from '../api.ts';
import { useLeaveWarning } from '../components/use-leave-warning.ts';
import { countText } from '../count-text.ts';
import { useEnvironment } from '../environment.ts';
import { useSendChange } from '../use-send-change.ts';
import { reasonText } from './reason-text.ts';

export type Cells = RejectedRow['cells'];

export interface Correction {
  /** The row when the member began to correct it. */
  seen: RejectedRow;
  cells: Cells;
}

/** What was typed, by the number of the row. */
type Corrections = ReadonlyMap<number, Correction>;

/** By import. What was typed and not sent is still there when the member comes back from another page. */
const notSent = new Map<string, Corrections>();

/** Corrections of rejected rows, which stay until the service has taken them. */
export function useCorrections(importId: string, onSent: (answer: CorrectionAnswer) => void) {
  const environment = useEnvironment();
  const sendChange = useSendChange();
  const [corrections, setCorrections] = useState<Corrections>(notSent.get(importId) ?? new Map());
  const [problem, setProblem] = useState<string>();
  const [asked, setAsked] = useState<ImportEffects>();
  const [sending, setSending] = useState(false);
  useLeaveWarning(corrections.size > 0);

  const keep = (next: Corrections) => {
    notSent.set(importId, next);
    setCorrections(next);
  };

  const correct = (row: RejectedRow, cells: Cells) => {
    const next = new Map(notSent.get(importId));
    const { seen } = next.get(row.row_number) ?? { seen: row };
    // The cells of a row that could not be read may be right as they are.
    const isConfirmed = seen.raw !== null;
    if (isConfirmed || COLUMNS.some((column) => (cells[column] ?? '') !== (seen.cells[column] ?? ''))) {
      next.set(row.row_number, { seen, cells });
    } else next.delete(row.row_number);
    keep(next);
    setAsked(undefined);
  };

  const send = async (): Promise<void> => {
    setProblem(undefined);
    setAsked(undefined);
    setSending(true);
    try {
      const rows = [...corrections].slice(0, CORRECTIONS_MAX);
      const answer = await sendChange<CorrectionAnswer>('POST', `/${environment}/imports/${importId}/corrections`, {
        rows: rows.map(([row_number, { seen, cells }]) => ({ row_number, seen: seen.fingerprint, cells })),
        asks: asked === undefined,
      });
      if (answer.asked) {
        setAsked(answer.asked);
        return;
      }
      // What is still rejected is stored as it was sent. More may have been typed meanwhile.
      const sent = new Map(rows);
      const typed = notSent.get(importId) ?? new Map<number, Correction>();
      keep(new Map([...typed].filter(([number, correction]) => sent.get(number) !== correction)));
      onSent(answer);
      const isAsExpected = answer.rejected === 0 && answer.updated === 0;
      notifications.show({ color: isAsExpected ? 'teal' : 'yellow', message: answerText(answer) });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setProblem(error.message);
    } finally {
      setSending(false);
    }
  };
  return { corrections, correct, send, problem, asked, sending };
}

/** The rows on the page tell the rest. */
const REASONS_TOLD = 2;

function answerText({ inserted, updated, unchanged, rejected, gone, ...answer }: CorrectionAnswer): string {
  const imported = countText(inserted + updated + unchanged, 'row was imported', 'rows were imported');
  const others = [
    // Perhaps by an id that was mistyped.
    updated > 0 ? countText(updated, 'has changed a client that exists', 'have changed clients that exist') : [],
    rejected > 0 ? countText(rejected, 'is still rejected', 'are still rejected') : [],
    gone > 0 ? `${countText(gone, 'was', 'were')} corrected before or erased` : [],
  ].flat();
  const reasons = answer.still_rejected
    .slice(0, REASONS_TOLD)
    .map(({ line, reason }) => `Line ${line.toLocaleString()}: ${reasonText(reason)}.`);
  return [`${[imported, ...others].join(', ')}.`, ...reasons].join(' ');
}
