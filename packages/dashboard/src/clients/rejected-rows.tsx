import { Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { COLUMNS, type Column, parseRow, REQUIRED_COLUMNS, toValueMapping } from '#contract/clients/files.ts';
import {
  type ImportEffects as Effects,
  REJECTS_PER_PAGE,
  type RejectedRow,
  type RejectsPage,
} from '#contract/clients/imports.ts';
import { FormProblem } from '../components/form-problem.tsx';
import { Notice } from '../components/notice.tsx';
import { Pager } from '../components/pager.tsx';
import { QueryContent } from '../components/query-content.tsx';
import { Section } from '../components/section.tsx';
import { countText } from '../count-text.ts';
import { useEnvironment } from '../environment.ts';
import { quoted } from '../imported-from.ts';
import { CellInput } from './cell-input.tsx';
import { COLUMN_LABELS } from './column-labels.ts';
import { ImportEffects } from './import-effects.tsx';
import { rejectsQuery } from './queries.ts';
import { reasonText, wrongColumns } from './reason-text.ts';
import { type Cells, type Correction, useCorrections } from './use-corrections.ts';

interface RejectedRowsProps {
  importId: string;
  rejected: number;
  /** All that were sent are imported. The button that had the focus then has nothing more to send, or has gone. */
  onCorrected(): void;
}

/** The rejected rows of an import that is over, some at a time, to be corrected and imported. */
export function RejectedRows({ importId, rejected, onCorrected }: RejectedRowsProps) {
  const [page, setPage] = useState(1);
  const query = useQuery(rejectsQuery(useEnvironment(), importId, page));
  const list = useRef<HTMLUListElement>(null);
  const focusRow = useFocusedRow(list, query.isPlaceholderData ? undefined : query.data);
  const { corrections, correct, send, problem, asked, sending } = useCorrections(importId, (answer) => {
    const [first] = answer.still_rejected;
    setPage(answer.page);
    if (first) focusRow(first.row_number);
    else onCorrected();
  });
  const turnTo = (next: number) => {
    setPage(next);
    focusRow('first');
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void send();
  };
  return (
    <Section
      title="Rejected rows"
      description="Correct them here and import them again. Rows that you do not change stay as they are."
    >
      <QueryContent query={query}>
        {({ results, reading, total_count: total }) =>
          total === 0 ? (
            <Text size="sm">The rejected rows are no longer kept.</Text>
          ) : (
            <form onSubmit={submit}>
              <ul ref={list} className="plain-list rejected-rows">
                {results.map((row) => (
                  <RejectedRowInputs
                    key={row.row_number}
                    row={row}
                    reading={reading}
                    cells={corrections.get(row.row_number)?.cells}
                    onChange={(cells) => correct(row, cells)}
                    onUse={() => {
                      correct(row, row.cells);
                      // The button goes with the question.
                      focusRow(row.row_number);
                    }}
                  />
                ))}
              </ul>
              <FormProblem message={problem} />
              {asked && <Asked effects={asked} />}
              <Group className="rejected-end" justify="space-between">
                <Button type="submit" loading={sending} disabled={corrections.size === 0}>
                  {asked ? 'Import anyway' : sendLabel([...corrections.values()], reading)}
                </Button>
                {rejected > total && (
                  <Text size="sm" c="dimmed">
                    {countText(rejected - total, 'more rejected row is', 'more rejected rows are')} not kept.
                  </Text>
                )}
              </Group>
              <Pager
                page={page}
                pages={Math.ceil(total / REJECTS_PER_PAGE)}
                total={total}
                noun={['rejected row', 'rejected rows']}
                onPage={turnTo}
              />
            </form>
          )
        }
      </QueryContent>
    </Section>
  );
}

/** The button says what can be done. Whoever has mistyped an id or an email corrects the row. */
function Asked({ effects }: { effects: Effects }) {
  return (
    <Notice tone="warning" title="Not imported yet: clients would change">
      <ImportEffects effects={effects} wouldBe />
    </Notice>
  );
}

/** A row that is still wrong is sent as well, and then kept as it was typed. */
function sendLabel(corrections: readonly Correction[], reading: RejectsPage['reading']): string {
  const right = corrections.filter(({ seen, cells }) => problemIn(seen.line, cells, reading) === undefined);
  if (right.length === 0) return 'Import corrected rows';
  return `Import ${countText(right.length, 'corrected row', 'corrected rows')}`;
}

/**
 * Puts the focus on the first wrong cell of a row, as soon as the row is shown. The view follows: a page with fewer rows would leave it
 * far below them.
 */
function useFocusedRow(
  list: RefObject<HTMLUListElement | null>,
  shown: unknown,
): (row: RejectedRow['row_number'] | 'first') => void {
  const [wanted, setWanted] = useState<RejectedRow['row_number'] | 'first'>();
  useEffect(() => {
    const row = list.current?.querySelector(wanted === 'first' ? 'li' : `[data-row="${wanted}"]`);
    if (wanted === undefined || shown === undefined || !row) return;
    const cell = row.querySelector('[aria-invalid=true]') ?? row.querySelector('input, select');
    if (cell instanceof HTMLElement) cell.focus();
    setWanted(undefined);
  }, [list, shown, wanted]);
  return setWanted;
}

interface RejectedRowInputsProps {
  row: RejectedRow;
  reading: RejectsPage['reading'];
  /** What was typed, if anything. */
  cells: Cells | undefined;
  onChange(cells: Cells): void;
  /** Takes the cells as they were read. */
  onUse(): void;
}

function RejectedRowInputs({ row, reading, cells, onChange, onUse }: RejectedRowInputsProps) {
  const still = cells && problemIn(row.line, cells, reading);
  const hasSurplus = typeof row.surplus === 'string';
  // The reason is the number of cells. A cell that is in the wrong place is mostly wrong, too.
  const asRead = hasSurplus ? problemIn(row.line, row.cells, reading) : row.reason;
  const wrong = wrongColumns((cells ? still : asRead) ?? '');
  const shown = COLUMNS.filter(
    (column) =>
      // Nothing is known of the cells of a row that could not be read, so that any of them may have to be entered.
      row.raw !== null ||
      (REQUIRED_COLUMNS as readonly Column[]).includes(column) ||
      // What was emptied in a correction can still be filled.
      row.cells[column] !== undefined ||
      wrongColumns(row.reason).includes(column),
  );
  const current = cells ?? row.cells;
  const line = `Line ${row.line.toLocaleString()}`;
  const meanings = reading ? toValueMapping(reading.values) : undefined;
  return (
    <Stack component="li" gap={6} data-row={row.row_number}>
      <Text size="sm">
        <b>{line}:</b> {reasonText(still ?? row.reason)}
        {cells && (
          <Text span size="sm" c="dimmed">
            {' '}
            {still ? '(still wrong)' : '(corrected, not imported yet)'}
          </Text>
        )}
      </Text>
      {row.raw && <pre className="code-block">{row.raw}</pre>}
      {typeof row.surplus === 'string' && <Surplus text={row.surplus} />}
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing="sm" verticalSpacing="xs">
        {shown.map((column) => (
          <CellInput
            key={column}
            column={column}
            aria-label={`${COLUMN_LABELS[column]}, ${line}`}
            value={current[column] ?? ''}
            meanings={meanings}
            onChange={(value) => onChange({ ...current, [column]: value })}
            error={wrong.includes(column)}
          />
        ))}
      </SimpleGrid>
      {hasSurplus && !cells && asRead === undefined && (
        <Button
          variant="default"
          size="compact-sm"
          style={{ alignSelf: 'flex-start' }}
          aria-label={`Use these values, ${line}`}
          onClick={onUse}
        >
          Use these values
        </Button>
      )}
    </Stack>
  );
}

/** What a row has too much. It may also be a separator at its end, or one within a value. */
function Surplus({ text }: { text: string }) {
  const what = /^[\s,;]*$/.test(text) ? 'the empty values at its end' : quoted(text);
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      There is no column for {what}. The values below are those from the beginning of the row. Correct those that are in
      the wrong place.
    </Text>
  );
}

/** What is still wrong with the cells that were typed, as far as it is known without the stored clients. */
function problemIn(line: number, cells: Cells, reading: RejectsPage['reading']): string | undefined {
  if (!reading) return undefined;
  const { dates, values } = reading;
  const parsed = parseRow({ line, cells }, { dates, values: toValueMapping(values) });
  return typeof parsed === 'string' ? parsed : undefined;
}
