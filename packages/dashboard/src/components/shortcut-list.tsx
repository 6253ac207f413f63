import { Group, Stack, Text, Title } from '@mantine/core';
import { REVIEW_SHORTCUTS } from '../clients/index.ts';
import { useCanEdit } from '../session.ts';
import { PAGES } from './navigation.ts';

type Shortcut = [keys: string[], description: string];

/** Every shortcut, by where it works. `use-shortcuts.ts`, `palette-list.tsx`, `neighbours.tsx` and those of the list and of the review carry them out. */
const SHORTCUTS: Record<string, Shortcut[]> = {
  'On every page': [
    [['Ctrl/⌘', 'K'], 'Find a client, group, API key, page or action'],
    [['/'], 'Search clients by name, email or ID'],
    [['?'], 'Show these shortcuts'],
    [['Esc'], 'Close what is open'],
  ],
  'In what Ctrl/⌘ K finds': [
    [['↑', '↓'], 'Select'],
    [['Enter'], 'Open or do what is selected'],
  ],
  'In the list of clients': [[['Shift', 'Space'], 'Select all from the last one to this one']],
  'On the page of a client': [
    [['j'], 'The next client of the list'],
    [['k'], 'The previous client'],
  ],
  'Go to a page: one key after the other': PAGES.map(({ letter, label }) => [['g', letter], label]),
};

export function ShortcutList() {
  const canEdit = useCanEdit();
  const onReview = REVIEW_SHORTCUTS.filter(({ changes }) => canEdit || !changes);
  const all = {
    ...SHORTCUTS,
    'On the page Review': onReview.map(({ keys, description }): Shortcut => [keys, description]),
  };
  return (
    <Stack gap="lg">
      {Object.entries(all).map(([where, shortcuts]) => (
        <section key={where}>
          <Title order={3} size="h6" mb={8}>
            {where}
          </Title>
          <Stack gap={8} component="ul" className="plain-list">
            {shortcuts.map(([keys, description]) => (
              <Group key={description} component="li" justify="space-between" wrap="nowrap">
                <Text size="sm">{description}</Text>
                <Group gap={4} wrap="nowrap">
                  {keys.map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </Group>
              </Group>
            ))}
          </Stack>
        </section>
      ))}
    </Stack>
  );
}
