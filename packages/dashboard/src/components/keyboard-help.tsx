import { Group, Modal, Stack, Text } from '@mantine/core';
import { PAGES } from './navigation.ts';

const SHORTCUTS: [keys: string[], description: string][] = [
  [['Ctrl/⌘', 'K'], 'Go to a page or search clients'],
  [['/'], 'Search clients by email or name'],
  ...PAGES.map(({ letter, label }): [string[], string] => [['g', letter], `Go to ${label}`]),
  [['Shift', 'Space'], 'In the list of clients: select all from the last one to this one'],
  [['?'], 'Show keyboard shortcuts'],
];

export function KeyboardHelp({ opened, onClose }: { opened: boolean; onClose(): void }) {
  return (
    <Modal opened={opened} onClose={onClose} title="Keyboard shortcuts" centered size="sm">
      <Stack gap={10}>
        {SHORTCUTS.map(([keys, description]) => (
          <Group key={description} justify="space-between">
            <Text size="sm">{description}</Text>
            <Group gap={4}>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </Group>
          </Group>
        ))}
      </Stack>
    </Modal>
  );
}
