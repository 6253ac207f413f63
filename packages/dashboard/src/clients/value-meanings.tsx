import { List, NativeSelect, SimpleGrid, Text } from '@mantine/core';
import type { WordColumn } from '#contract/clients/files.ts';
import type { RequestStatus } from '#contract/clients/index.ts';
import { optionsOf, REQUEST_STATUS_LABELS } from '../labels.ts';
import { COLUMN_LABELS } from './column-labels.ts';
import type { UnknownValues } from './unknown-values.ts';
import { WORD_OPTIONS } from './word-options.ts';

interface ValueMeaningsProps {
  unknown: readonly UnknownValues[];
  meaningOf(field: WordColumn, value: string): string | undefined;
  /** An empty word means that none was chosen. */
  onChange(field: WordColumn, value: string, word: string): void;
  /** Whether some of them were chosen for an earlier file. */
  areFromLastTime: boolean;
  disabled: boolean;
}

/** Only whoever knows what our words mean can say which of them is meant. */
const STATUS_MEANINGS: Record<RequestStatus, string> = {
  requested: 'your firm has asked the client to onboard',
  accepted: 'the client has agreed and has begun',
  pending: 'the client has submitted everything and waits for your review',
  completed: 'you have reviewed the client',
  declined: 'the client or the reviewer has refused',
};

function StatusMeanings() {
  return (
    <List size="sm" mb="sm">
      {optionsOf(REQUEST_STATUS_LABELS).map(({ value, label }) => (
        <List.Item key={value}>
          <b>{label}:</b> {STATUS_MEANINGS[value]}
        </List.Item>
      ))}
    </List>
  );
}

/** What the values of a file mean that are none of our words, asked for once for each. */
export function ValueMeanings({ unknown, meaningOf, onChange, areFromLastTime, disabled }: ValueMeaningsProps) {
  return (
    <section aria-label="What the values mean">
      <Text size="sm" fw={600}>
        What the values mean
      </Text>
      <Text size="sm" c="dimmed" mb="xs">
        Rollcall does not know these values of the file. Rows are rejected unless you choose what their values mean.
        Your browser remembers it for the next file.
        {areFromLastTime && ' What was chosen for an earlier file is chosen again.'}
      </Text>
      {unknown.some(({ field }) => field === 'request_status') && <StatusMeanings />}
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm" verticalSpacing="xs">
        {unknown.flatMap(({ field, values }) =>
          (values ?? []).map((value) => (
            <NativeSelect
              key={`${field}:${value}`}
              size="sm"
              label={`${COLUMN_LABELS[field]} “${value}”`}
              data={[{ value: '', label: 'Reject these rows' }, ...WORD_OPTIONS[field]]}
              value={meaningOf(field, value) ?? ''}
              onChange={({ currentTarget: { value: word } }) => onChange(field, value, word)}
              disabled={disabled}
              styles={{ label: { overflowWrap: 'anywhere' } }}
            />
          )),
        )}
      </SimpleGrid>
      {unknown.flatMap(({ field, column, values }) =>
        values === null ? (
          <Text key={field} size="sm">
            {column} has too many different values, or too long ones, to be listed here. Rows are rejected if theirs is
            not a {COLUMN_LABELS[field].toLowerCase()}.
          </Text>
        ) : (
          []
        ),
      )}
    </section>
  );
}
