import { Text } from '@mantine/core';
import { type DragEvent, useState } from 'react';
import { ChooseFileButton } from './choose-file-button.tsx';

interface FileDropZoneProps {
  onFile(file: File): void;
  /** What was dropped is not one file. */
  onRefused(name: string, reason: string): void;
}

/** An area to drop a file on, with a button that opens a file dialog. */
export function FileDropZone({ onFile, onRefused }: FileDropZoneProps) {
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const { files, items } = event.dataTransfer;
    const [file] = files;
    if (!file) return;
    if (files.length > 1) onRefused(`${files.length} files`, 'Only one file can be imported at a time.');
    else if (items[0]?.webkitGetAsEntry()?.isDirectory)
      onRefused(file.name, 'It is a folder. Drop a file that is in it.');
    else onFile(file);
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
