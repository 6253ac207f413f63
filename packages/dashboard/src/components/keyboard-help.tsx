import { Group, Modal, Stack, Text } from '@mantine/core';
import { PAGES } from './navigation.ts';

const KEYS: [keys: string[], what: string][] = [
  [['Ctrl/⌘', 'K'], 'Go anywhere'],
  [['/'], 'Search clients'],
  ...PAGES.map(({ letter, label }): [string[], string] => [['g', letter], label]),
  [['?'], 'This help'],
];

export function KeyboardHelp({ opened, onClose }: { opened: boolean; onClose(): void }) {
  return (
    <Modal opened={opened} onClose={onClose} title="Keyboard shortcuts" centered size="sm">
      <Stack gap={10}>
        {KEYS.map(([keys, what]) => (
          <Group key={what} justify="space-between">
            <Text size="sm">{what}</Text>
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
