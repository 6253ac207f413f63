import { Text, VisuallyHidden } from '@mantine/core';
import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { countText } from '../count-text.ts';
import { Keys } from './keys.tsx';
import type { PaletteDeeds, PaletteEntry } from './palette-entries.ts';
import { PaletteField, PaletteFooter } from './palette-field.tsx';
import { usePaletteEntries } from './use-palette-entries.ts';

export interface PaletteListProps {
  /** What was typed. */
  text: string;
  onText(text: string): void;
  deeds: PaletteDeeds;
  onClose(): void;
}

/** The text field with what it finds. The focus stays in the field while the arrow keys move the selection. */
export function PaletteList({ text, onText, deeds, onClose }: PaletteListProps) {
  const { entries, isSearching, problem } = usePaletteEntries(text.trim(), deeds);
  const { selected, select, move } = useSelection(entries);
  const listId = useId();
  const idOf = (entry: PaletteEntry) => `${listId}-${entry.id}`;
  const selectedId = selected && idOf(selected);
  useEffect(() => {
    if (selectedId) document.getElementById(selectedId)?.scrollIntoView({ block: 'nearest' });
  }, [selectedId]);

  const run = (entry: PaletteEntry) => {
    onClose();
    entry.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown') move(1);
    else if (event.key === 'ArrowUp') move(-1);
    else if (event.key === 'Enter' && selected) run(selected);
    else return;
    event.preventDefault();
  };

  return (
    <>
      <PaletteField
        role="combobox"
        aria-expanded
        aria-autocomplete="list"
        aria-controls={listId}
        aria-activedescendant={selectedId}
        value={text}
        onText={(typed) => {
          onText(typed);
          select(undefined);
        }}
        onKeyDown={onKeyDown}
      />
      <div role="listbox" id={listId} aria-label="Results" className="palette-list">
        {entries.map((entry) => (
          <PaletteOption
            key={entry.id}
            id={idOf(entry)}
            entry={entry}
            isSelected={entry.id === selected?.id}
            onPoint={() => select(entry.id)}
            onRun={() => run(entry)}
          />
        ))}
      </div>
      <Footer problem={problem} isSearching={isSearching} />
      <VisuallyHidden role="status">{countText(entries.length, 'result', 'results')}</VisuallyHidden>
    </>
  );
}

/** The first entry is selected until the member selects another, which then stays selected when further ones arrive. */
function useSelection(entries: readonly PaletteEntry[]) {
  const [id, select] = useState<string>();
  const index = Math.max(
    0,
    entries.findIndex((entry) => entry.id === id),
  );
  const move = (by: number) => select(entries.at((index + by) % entries.length)?.id);
  return { selected: entries[index], select, move };
}

interface PaletteOptionProps {
  id: string;
  entry: PaletteEntry;
  isSelected: boolean;
  onPoint(): void;
  onRun(): void;
}

function PaletteOption({ id, entry, isSelected, onPoint, onRun }: PaletteOptionProps) {
  const { label, detail, keys, Icon } = entry;
  return (
    // The text field has the focus and the keys.
    // biome-ignore lint/a11y/useFocusableInteractive: an option of a combobox is never focused
    // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox has the keys
    <div
      role="option"
      id={id}
      aria-selected={isSelected}
      className="palette-option"
      onMouseMove={onPoint}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onRun}
    >
      <Icon size={18} stroke={1.7} aria-hidden />
      <span className="palette-label">
        <Text span size="sm" truncate>
          {label}
        </Text>
        {detail && (
          <Text span size="xs" c="dimmed" truncate>
            {detail}
          </Text>
        )}
      </span>
      {keys && <Keys text={keys} />}
    </div>
  );
}

function Footer({ problem, isSearching }: { problem: string | undefined; isSearching: boolean }) {
  const text = isSearching ? 'Searching clients…' : '↑ ↓ to select, Enter to open, Esc to close';
  return <PaletteFooter>{problem === undefined ? text : `Some results may be missing. ${problem}`}</PaletteFooter>;
}
