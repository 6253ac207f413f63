import { Anchor, Box, Button, Group, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { type SourceRow, WrongEncoding } from '#contract/clients/files.ts';
import { Notice } from '../components/notice.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { Section } from '../components/section.tsx';
import { countText } from '../count-text.ts';
import { useEnvironment } from '../environment.ts';
import { ENVIRONMENT_NAMES } from '../labels.ts';
import { useCanEdit } from '../session.ts';
import { FileDropZone } from './file-drop-zone.tsx';
import { type ChosenFile, canPreview, countRows, readPreview } from './import-file.ts';
import { ImportStatus } from './import-status.tsx';
import { LatestImports } from './latest-imports.tsx';
import { importQuery } from './queries.ts';
import { useImport } from './use-import.ts';

const PREVIEW_ROWS = 5;

interface PreviewedFile extends ChosenFile {
  /** Another one for each choice, also of the same file. */
  choice: number;
  /** Missing if only the service can read the file. */
  preview?: { rows: SourceRow[]; total: number };
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

  const lastChoice = useRef(0);

  const choose = async (chosen: ChosenFile) => {
    const choice = ++lastChoice.current;
    setProblem(undefined);
    setChosen(undefined);
    const read = await previewOf(chosen);
    // Reading a large file takes a while, and another one may have been chosen meanwhile.
    if (choice !== lastChoice.current) return;
    if ('problem' in read) setProblem(read.problem);
    else setChosen({ ...chosen, ...read, choice });
  };

  return (
    <>
      <PageHeader
        title="Import clients"
        description={`Import a CSV, NDJSON or Excel file into ${ENVIRONMENT_NAMES[environment]}. Importing the same file again changes nothing.`}
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
          {chosen && <ImportForm key={chosen.choice} {...chosen} />}
        </Stack>
      )}
      <Box mt="lg">
        <LatestImports canEdit={canEdit} />
      </Box>
    </>
  );
}

async function previewOf(chosen: ChosenFile): Promise<Pick<PreviewedFile, 'preview'> | { problem: Problem }> {
  if (!canPreview(chosen)) return {};
  try {
    const rows = await readPreview(chosen, PREVIEW_ROWS);
    if (rows.length === 0) return { problem: { message: 'The file has a header but no rows.' } };
    return { preview: { rows, total: await countRows(chosen) } };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const likely = error instanceof WrongEncoding ? error.likely : undefined;
    return { problem: { message, retryWith: likely && { ...chosen, encoding: likely } } };
  }
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

function ImportForm({ file, encoding, preview }: PreviewedFile) {
  const { start, started, problem, sending } = useImport({ file, encoding });
  const { data: latest } = useQuery({
    ...importQuery(useEnvironment(), started?.import_id ?? ''),
    enabled: started !== undefined,
  });
  const state = latest?.import.state ?? started?.state;
  const isWorking = state === 'queued' || state === 'running';
  const isImported = state === 'completed' && !started?.dry_run;
  return (
    <Section
      title={file.name}
      description={
        preview
          ? previewText(preview)
          : 'A packed file or a workbook is read by the service, so its rows are not shown here.'
      }
    >
      <Stack gap="md">
        {preview && <Preview rows={preview.rows} />}
        {problem && (
          <Notice tone="error" title="The file was not sent">
            {problem}
          </Notice>
        )}
        {started && <ImportStatus importId={started.import_id} total={preview?.total} />}
        <Group>
          <Button onClick={() => start(false)} loading={sending} disabled={isWorking || isImported}>
            {preview ? `Import ${countText(preview.total, 'row', 'rows')}` : 'Import the file'}
          </Button>
          <Button variant="default" onClick={() => start(true)} disabled={sending || isWorking}>
            Check only
          </Button>
        </Group>
      </Stack>
    </Section>
  );
}

function previewText({ rows, total }: { rows: SourceRow[]; total: number }): string {
  const count = countText(total, 'row', 'rows');
  return total > rows.length ? `${count}, of which the first ${rows.length} are shown` : count;
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
