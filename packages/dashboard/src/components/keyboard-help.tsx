import { Modal } from '@mantine/core';
import { ShortcutList } from './shortcut-list.tsx';

export function KeyboardHelp({ opened, onClose }: { opened: boolean; onClose(): void }) {
  return (
    <Modal opened={opened} onClose={onClose} title="Keyboard shortcuts" centered size="sm">
      <ShortcutList />
    </Modal>
  );
}
