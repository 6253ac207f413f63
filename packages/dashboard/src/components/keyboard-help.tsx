import { Group, Modal, Stack, Text, Title } from '@mantine/core';
import { REVIEW_SHORTCUTS } from '../clients/index.ts';
import { useCanEdit } from '../session.ts';
import { PAGES } from './navigation.ts';

type Shortcut = [keys: string[], description: string];

const SHORTCUTS: Shortcut[] = [
  [['Ctrl/⌘', 'K'], 'Go to a page or search clients'],
  [['/'], 'Search clients by email or name'],
  ...PAGES.map(({ letter, label }): [string[], string] => [['g', letter], `Go to ${label}`]),
  [['Shift', 'Space'], 'In the list of clients: select all from the last one to this one'],
  [['?'], 'Show keyboard shortcuts'],
];

export function KeyboardHelp({ opened, onClose }: { opened: boolean; onClose(): void }) {
  const canEdit = useCanEdit();
  const onReview = REVIEW_SHORTCUTS.filter(({ changes }) => canEdit || !changes);
  return (
    <Modal opened={opened} onClose={onClose} title="Keyboard shortcuts" centered size="sm">
      <ShortcutList shortcuts={SHORTCUTS} />
      <Title order={3} size="sm" mt="lg" mb="xs">
        On the page Review
      </Title>
      <ShortcutList shortcuts={onReview.map(({ keys, description }) => [keys, description])} />
    </Modal>
  );
}

function ShortcutList({ shortcuts }: { shortcuts: Shortcut[] }) {
  return (
    <Stack gap={10}>
      {shortcuts.map(([keys, description]) => (
        <Group key={description} justify="space-between" wrap="nowrap">
          <Text size="sm">{description}</Text>
          <Group gap={4} wrap="nowrap">
            {keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </Group>
        </Group>
      ))}
    </Stack>
  );
}
