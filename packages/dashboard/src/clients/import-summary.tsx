import { Anchor, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { Notice } from '../components/notice.tsx';
import { useEnvironment } from '../environment.ts';
import type { ImportResult } from './import-file.ts';

interface ImportSummaryProps {
  result: ImportResult;
  fileName: string;
}

/** What became of the rows, and those that were rejected as a file to mend. */
export function ImportSummary({ result, fileName }: ImportSummaryProps) {
  const environment = useEnvironment();
  const { inserted, updated, unchanged, rejected, dryRun, pieces } = result;
  const inParts = dryRun && pieces > 1;
  const address = useMemo(
    () => URL.createObjectURL(new Blob([result.rejects], { type: 'text/csv' })),
    [result.rejects],
  );
  useEffect(() => () => URL.revokeObjectURL(address), [address]);
  const words = dryRun ? 'would be ' : '';
  return (
    <Notice
      tone={rejected > 0 || inParts ? 'warning' : 'success'}
      title={dryRun ? 'Checked, nothing was changed' : 'Imported'}
    >
      <Text size="sm">
        {inserted.toLocaleString()} {words}added, {updated.toLocaleString()} {words}updated,{' '}
        {unchanged.toLocaleString()} unchanged, {rejected.toLocaleString()} {words}rejected.
      </Text>
      {inParts && (
        <Text size="sm" mt={6}>
          The file is too large to be checked in one go, so it was checked in {pieces} parts. Each part was compared
          with the clients you have now, but not with the parts before it: rows that repeat or change what an earlier
          part brings may turn out differently when you import the file.
        </Text>
      )}
      <Group gap="md" mt={6}>
        {rejected > 0 && (
          <Anchor size="sm" href={address} download={fileName.replace(/(\.\w+)?$/, '-rejected.csv')}>
            Download the rejected rows with the reasons
          </Anchor>
        )}
        {!dryRun && (
          <Anchor
            size="sm"
            renderRoot={(props) => <Link to="/$environment/clients" params={{ environment }} {...props} />}
          >
            See the clients
          </Anchor>
        )}
      </Group>
    </Notice>
  );
}
