import { Anchor, Button, Group, Progress, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { type SourceRow, WrongEncoding } from '#contract/clients/files.ts';
import { Notice } from '../components/notice.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { Section } from '../components/section.tsx';
import { countText } from '../count-text.ts';
import { useEnvironment } from '../environment.ts';
import { ENVIRONMENT_NAMES } from '../labels.ts';
import { useCanEdit } from '../session.ts';
import { FileDropZone } from './file-drop-zone.tsx';
import { type ChosenFile, countRows, type ImportResult, readPreview } from './import-file.ts';
import { ImportSummary } from './import-summary.tsx';
import { useImport } from './use-import.ts';

const PREVIEW_ROWS = 5;

interface PreviewedFile extends ChosenFile {
  total: number;
  preview: SourceRow[];
}

interface Problem {
  message: string;
  /** The same file with the encoding that it probably has. */
  retryWith?: ChosenFile | undefined;
}

export function ImportPage() {
  const environment = useEnvironment();
  const canEdit = useCanEdit();
  const [chosen, setChosen] = useState<PreviewedFile>();
  const [problem, setProblem] = useState<Problem>();

  const choose = async (chosen: ChosenFile) => {
    setProblem(undefined);
    setChosen(undefined);
    try {
      const preview = await readPreview(chosen, PREVIEW_ROWS);
      if (preview.length === 0) setProblem({ message: 'The file has a header but no rows.' });
      else setChosen({ ...chosen, preview, total: await countRows(chosen) });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const likely = error instanceof WrongEncoding ? error.likely : undefined;
      setProblem({ message, retryWith: likely && { ...chosen, encoding: likely } });
    }
  };

  return (
    <>
      <PageHeader
        title="Import clients"
        description={`Import a CSV or NDJSON file into ${ENVIRONMENT_NAMES[environment]}. Importing the same file again changes nothing.`}
      />
      {!canEdit && <Notice tone="plain">Your role does not allow you to import clients.</Notice>}
      {canEdit && (
        <Stack gap="lg">
          <FileDropZone onFile={(file) => choose({ file })} />
          <ColumnHelp />
          {problem && (
            <Notice tone="error" title="This file cannot be imported">
              <Stack gap="sm" align="flex-start">
                {problem.message}
                {problem.retryWith && <RetryButton chosen={problem.retryWith} onRetry={choose} />}
              </Stack>
            </Notice>
          )}
          {chosen && <ImportForm key={`${chosen.file.name} ${chosen.file.lastModified}`} {...chosen} />}
        </Stack>
      )}
    </>
  );
}

function ColumnHelp() {
  return (
    <Text size="sm" c="dimmed">
      The first line of a CSV file names its columns. Required: <code>email</code>, <code>client_name</code>,{' '}
      <code>client_type</code> and <code>group_name</code>. Optional: <code>request_status</code>,{' '}
      <code>client_status</code>, <code>created_at</code>, <code>reference_id</code>, <code>group_token</code> and{' '}
      <code>external_id</code>.{' '}
      <Anchor
        size="sm"
        download="clients.csv"
        href={`data:text/csv,${encodeURIComponent('email,client_name,client_type,group_name\nada@example.com,Ada Okafor,individual,Retail\n')}`}
      >
        Download an example file
      </Anchor>
    </Text>
  );
}

/** The member can tell from the names in the preview whether the encoding is right. */
function RetryButton({ chosen, onRetry }: { chosen: ChosenFile; onRetry(chosen: ChosenFile): void }) {
  return (
    <Button variant="default" onClick={() => onRetry(chosen)}>
      Read as Windows-1252
    </Button>
  );
}

function ImportForm({ file, encoding, total, preview }: PreviewedFile) {
  const { run, progress, problem, running } = useImport({ file, encoding });
  const [result, setResult] = useState<ImportResult>();
  const start = async (dryRun: boolean) => {
    setResult(undefined);
    setResult(await run(dryRun));
  };
  const percent = total === 0 ? 100 : Math.round((100 * (progress?.rows ?? 0)) / total);
  return (
    <Section title={file.name} description={previewText(total, preview.length)}>
      <Stack gap="md">
        <Preview rows={preview} />
        {problem && (
          <Notice tone="error" title="The import stopped">
            {problem} The rows imported so far are kept. You can safely start the import again.
          </Notice>
        )}
        {running && <Progress value={percent} aria-label="Import progress" animated />}
        {result && <ImportSummary result={result} fileName={file.name} />}
        <Group>
          <Button onClick={() => start(false)} loading={running} disabled={result !== undefined && !result.dryRun}>
            Import {countText(total, 'row', 'rows')}
          </Button>
          <Button variant="default" onClick={() => start(true)} disabled={running}>
            Check only
          </Button>
        </Group>
      </Stack>
    </Section>
  );
}

function previewText(total: number, shown: number): string {
  const count = countText(total, 'row', 'rows');
  return total > shown ? `${count}, of which the first ${shown} are shown` : count;
}

function Preview({ rows }: { rows: SourceRow[] }) {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row.cells)))] as (keyof SourceRow['cells'])[];
  return (
    <Table.ScrollContainer minWidth={560} type="native">
      <Table verticalSpacing={6} fz="sm" withRowBorders>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Line</Table.Th>
            {columns.map((column) => (
              <Table.Th key={column}>{column}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.line}>
              <Table.Td c="dimmed">{row.line}</Table.Td>
              {row.unreadable ? (
                <Table.Td colSpan={columns.length} c="var(--mantine-color-error)">
                  {row.unreadable}
                </Table.Td>
              ) : (
                columns.map((column) => <Table.Td key={column}>{row.cells[column]}</Table.Td>)
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
