import { Text } from '@mantine/core';
import { type DragEvent, useState } from 'react';
import { ChooseFileButton } from './choose-file-button.tsx';

/** An area to drop a file on, with a button that opens a file dialog. */
export function FileDropZone({ onFile }: { onFile(file: File): void }) {
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file) onFile(file);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is optional; the button inside does the same
    <div
      className="drop-zone"
      data-over={over}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <ChooseFileButton label="Choose file" onFile={onFile} />
      <Text size="sm" c="dimmed" mt="sm">
        or drop it here
      </Text>
    </div>
  );
}
