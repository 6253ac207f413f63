import { Button, FileButton } from '@mantine/core';
import type { MouseEvent } from 'react';

interface ChooseFileButtonProps {
  label: string;
  onFile(file: File): void;
}

/** Opens the file dialog of the browser. */
export function ChooseFileButton({ label, onFile }: ChooseFileButtonProps) {
  return (
    <FileButton
      onChange={(file) => file && onFile(file)}
      accept=".csv,.ndjson,.jsonl,.gz,.xlsx,text/csv"
      inputProps={{ onClick: forgetLast }}
    >
      {(props) => (
        <Button {...props} variant="default">
          {label}
        </Button>
      )}
    </FileButton>
  );
}

/** Otherwise a browser does not tell that the same file was chosen again, which has been saved meanwhile. */
function forgetLast({ currentTarget: input }: MouseEvent<HTMLInputElement>): void {
  input.value = '';
}
