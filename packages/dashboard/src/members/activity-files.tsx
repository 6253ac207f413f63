import { Button, Tooltip } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useId } from 'react';
import { FileForm } from '../components/file-form.tsx';
import { useCanEdit } from '../session.ts';

const CHECKPOINT =
  'A small signed file that says where the log ends now. Kept elsewhere, it shows later whether anybody has changed the log. ' +
  'Take it before an export that it is to be compared with.';

const DOWNLOAD = { type: 'submit', variant: 'default', leftSection: <IconDownload size={16} /> } as const;

/** The log as a file for an auditor, and the signed statement of where it ends now. */
export function ActivityFiles() {
  const explanation = useId();
  if (!useCanEdit()) return null;
  return (
    <>
      {(['csv', 'ndjson'] as const).map((format) => (
        <FileForm key={format} action="/activity/export" fields={{ format }} problem="The export did not start">
          <Button {...DOWNLOAD}>Export {format.toUpperCase()}</Button>
        </FileForm>
      ))}
      <FileForm action="/activity/checkpoint" problem="The checkpoint was not made">
        <Tooltip label={CHECKPOINT} multiline w={300} events={{ hover: true, focus: true, touch: true }}>
          <Button {...DOWNLOAD} aria-describedby={explanation}>
            Signed checkpoint
          </Button>
        </Tooltip>
        <span id={explanation} hidden>
          {CHECKPOINT}
        </span>
      </FileForm>
    </>
  );
}
