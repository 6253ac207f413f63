import { Anchor, Box, Button, Stack, Text } from '@mantine/core';
import { Navigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { WrongEncoding } from '#contract/clients/files.ts';
import { ApiError, isTemporary } from '../api.ts';
import { capitalised } from '../capitalised.ts';
import { Notice } from '../components/notice.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { useEnvironment } from '../environment.ts';
import { ENVIRONMENT_NAMES } from '../labels.ts';
import { useCanEdit } from '../session.ts';
import { useSendChange } from '../use-send-change.ts';
import { FileChanged, whileUnchanged } from './changed-file.ts';
import { ChooseFileButton } from './choose-file-button.tsx';
import { FileDropZone } from './file-drop-zone.tsx';
import { type ChosenFile, type PreviewedFile, readPreview, type WorkbookPreview } from './import-file.ts';
import { ImportForm } from './import-form.tsx';
import { ImportHistory } from './import-history.tsx';
import { keepFile, keptFile } from './kept-file.ts';
import { LastImport } from './last-import.tsx';
import { useFormerImport } from './own-import.ts';

const TOO_MANY = 429;

interface Problem {
  fileName: string;
  message: string;
  /** What may work instead. */
  retry?: { label: string; chosen: ChosenFile } | undefined;
  /** Whether the file has changed since it was chosen, so that only choosing it again helps. */
  isChanged?: boolean;
}

export function ImportPage() {
  const environment = useEnvironment();
  const canEdit = useCanEdit();
  const former = useFormerImport(environment);
  if (former) {
    return <Navigate to="/$environment/import/$importId" params={{ environment, importId: former }} replace />;
  }
  return (
    <>
      <PageHeader
        title="Import clients"
        description={
          canEdit &&
          `Import a CSV, NDJSON or Excel file into ${ENVIRONMENT_NAMES[environment]}. Clients that are in Rollcall already are updated, and all others are added.`
        }
      />
      {canEdit ? (
        // A file that was chosen for one environment must not be imported into the other one.
        <NewImport key={environment} />
      ) : (
        <Notice tone="plain">
          Your role does not allow you to import clients. Ask an owner or an admin of the account to do it.
        </Notice>
      )}
      <Box mt="lg">
        <ImportHistory canEdit={canEdit} />
      </Box>
    </>
  );
}

function NewImport() {
  const environment = useEnvironment();
  const sendChange = useSendChange({ refetch: false });
  const [kept] = useState(keptFile(environment));
  const [chosen, setChosen] = useState(kept);
  const [problem, setProblem] = useState<Problem>();
  const [reading, setReading] = useState(false);
  const lastChoice = useRef(kept?.choice ?? 0);

  const choose = async (chosen: ChosenFile) => {
    const choice = ++lastChoice.current;
    setProblem(undefined);
    setChosen(undefined);
    keepFile(environment, undefined);
    setReading(true);
    const readWorkbook = (file: File) => sendChange<WorkbookPreview>('POST', `/${environment}/import-preview`, file);
    const read = await previewOf(chosen, readWorkbook);
    // Reading a large file takes a while, and another one may have been chosen meanwhile.
    if (choice !== lastChoice.current) return;
    setReading(false);
    if ('problem' in read) setProblem(read.problem);
    else setChosen({ ...chosen, ...read, choice });
  };

  return (
    <Stack gap="lg">
      {!chosen && <LastImport />}
      <FileDropZone
        onFile={(file) => choose({ file })}
        onRefused={(fileName, message) => setProblem({ fileName, message })}
      />
      {!chosen && <ColumnHelp />}
      {reading && (
        <Text size="sm" role="status">
          The file is being read…
        </Text>
      )}
      {problem && <FileProblem problem={problem} onRetry={choose} />}
      {chosen && (
        <ImportForm
          key={chosen.choice}
          chosen={chosen}
          takesFocus={chosen !== kept}
          onFile={(file) => choose({ file })}
        />
      )}
    </Stack>
  );
}

async function previewOf(
  chosen: ChosenFile,
  readWorkbook: (file: File) => Promise<WorkbookPreview>,
): Promise<Pick<PreviewedFile, 'preview'> | { problem: Problem }> {
  const fileName = chosen.file.name;
  try {
    const preview = await whileUnchanged(chosen.file, () => readPreview(chosen, readWorkbook));
    if (preview?.total === 0) return { problem: { fileName, message: 'The file has a header but no rows.' } };
    return { preview };
  } catch (error) {
    const isChanged = error instanceof FileChanged;
    return { problem: { fileName, message: messageOf(error), retry: retryAfter(error, chosen), isChanged } };
  }
}

/** The service names options of the command line and of the API, and not what can be done on this page. */
function messageOf(error: unknown): string {
  if (!(error instanceof WrongEncoding)) return error instanceof Error ? error.message : String(error);
  const saveAs = 'save it as “CSV UTF-8” in Excel and choose the new file';
  return error.likely
    ? `Line ${error.line} is not UTF-8 text. It looks like Windows-1252, which older spreadsheets and Windows programs write. Read the file as Windows-1252 and check that the names are right, or ${saveAs}.`
    : `Line ${error.line} is not text. If it is a spreadsheet, ${saveAs}.`;
}

/** The member can tell from the names in the preview whether the encoding is right. */
function retryAfter(error: unknown, chosen: ChosenFile): Problem['retry'] {
  if (isTemporary(error) || isTooSoon(error)) return { label: 'Try again', chosen };
  const likely = error instanceof WrongEncoding ? error.likely : undefined;
  return likely && { label: 'Read as Windows-1252', chosen: { ...chosen, encoding: likely } };
}

/** Several workbooks are being read at the same time. */
function isTooSoon(error: unknown): boolean {
  return error instanceof ApiError && error.status === TOO_MANY;
}

/** Takes the focus, because the button that was used may have gone. */
function FileProblem({ problem, onRetry }: { problem: Problem; onRetry(chosen: ChosenFile): void }) {
  const { fileName, message, retry, isChanged } = problem;
  const isReadable = retry?.chosen.encoding !== undefined;
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => notice.current?.focus(), []);
  return (
    <Notice
      ref={notice}
      tone={isReadable ? 'warning' : 'error'}
      title={`${fileName} ${isReadable ? 'has not been read yet' : 'cannot be imported'}`}
    >
      <Stack gap="sm" align="flex-start">
        {capitalised(message)}
        {retry && (
          <Button variant="default" onClick={() => onRetry(retry.chosen)}>
            {retry.label}
          </Button>
        )}
        {isChanged && <ChooseFileButton label="Choose it again" onFile={(file) => onRetry({ file })} />}
      </Stack>
    </Notice>
  );
}

function ColumnHelp() {
  return (
    <Text size="sm" c="dimmed">
      The first row names the columns. You choose which of them are imported, and as what. Every client needs an email,
      a name, a type (individual or company) and a group.{' '}
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
