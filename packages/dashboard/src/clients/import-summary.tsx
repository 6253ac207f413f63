import { Anchor, Group, List, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { Notice } from '../components/notice.tsx';
import { countText } from '../count-text.ts';
import { useEnvironment } from '../environment.ts';
import type { ImportResult } from './import-file.ts';

interface ImportSummaryProps {
  result: ImportResult;
  fileName: string;
}

/** How many rows were added, updated and rejected, with the rejected ones as a file that can be corrected. */
export function ImportSummary({ result, fileName }: ImportSummaryProps) {
  const environment = useEnvironment();
  const { inserted, updated, unchanged, rejected, dryRun, chunks } = result;
  const inParts = dryRun && chunks > 1;
  const address = useMemo(
    () => URL.createObjectURL(new Blob([result.rejects], { type: 'text/csv' })),
    [result.rejects],
  );
  useEffect(() => () => URL.revokeObjectURL(address), [address]);
  const wouldBe = dryRun ? 'would be ' : '';
  return (
    <Notice tone={rejected > 0 || inParts ? 'warning' : 'success'} title={titleOf(result)}>
      <Text size="sm">
        {inserted.toLocaleString()} {wouldBe}added, {updated.toLocaleString()} {wouldBe}updated,{' '}
        {unchanged.toLocaleString()} unchanged, {rejected.toLocaleString()} {wouldBe}rejected.
      </Text>
      {inParts && (
        <Text size="sm" mt={6}>
          The file is too large to be checked in one go, so it was checked in {chunks} parts. Each part was compared
          with your current clients, but not with the parts before it. Rows that repeat or change clients from an
          earlier part may therefore be counted differently when you import the file.
        </Text>
      )}
      {rejected > 0 && <RejectedLines result={result} />}
      <Group gap="md" mt={6}>
        {rejected > 0 && (
          <Anchor size="sm" href={address} download={fileName.replace(/(\.\w+)?$/, '-rejected.csv')}>
            Download the rejected rows with reasons
          </Anchor>
        )}
        {!dryRun && (
          <Anchor
            size="sm"
            renderRoot={(props) => <Link to="/$environment/clients" params={{ environment }} {...props} />}
          >
            View clients
          </Anchor>
        )}
      </Group>
    </Notice>
  );
}

function titleOf({ dryRun, inserted, updated, unchanged }: ImportResult): string {
  if (dryRun) return 'Check finished, no clients were changed';
  return inserted + updated + unchanged === 0 ? 'No rows were imported' : 'Import finished';
}

function RejectedLines({ result: { firstRejected, rejected } }: { result: ImportResult }) {
  const others = rejected - firstRejected.length;
  return (
    <List size="sm" mt={6}>
      {firstRejected.map(({ line, reason }) => (
        <List.Item key={line}>
          Line {line.toLocaleString()}: {reason}
        </List.Item>
      ))}
      {others > 0 && <List.Item>… and {countText(others, 'more rejected row', 'more rejected rows')}</List.Item>}
    </List>
  );
}
