import { Dialog } from './dialog.tsx';
import { ShortcutList } from './shortcut-list.tsx';

export function KeyboardHelp({ opened, onClose }: { opened: boolean; onClose(): void }) {
  if (!opened) return null;
  return (
    <Dialog onClose={onClose} title="Keyboard shortcuts" size="sm">
      <ShortcutList />
    </Dialog>
  );
}
