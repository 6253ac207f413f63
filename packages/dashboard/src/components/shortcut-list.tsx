import { Group, Stack, Text, Title } from '@mantine/core';
import { REVIEW_SHORTCUTS } from '../clients/index.ts';
import { useCanEdit } from '../session.ts';
import { PAGES } from './navigation.ts';

type Shortcut = [keys: string[], description: string];

/** Every shortcut, by where it works. `use-shortcuts.ts`, `palette-list.tsx`, `neighbours.tsx` and those of the list and of the review carry them out. */
const shortcutsFor = (canEdit: boolean): Record<string, Shortcut[]> => ({
  'On every page': [
    [['Ctrl/⌘', 'K'], 'Find a client, group, API key, page or action'],
    [['/'], 'Search clients by name, email or ID'],
    [['?'], 'Show these shortcuts'],
    [['Esc'], 'Close what is open'],
  ],
  'In the search palette': [
    [['↑', '↓'], 'Select'],
    [['Enter'], 'Open or do what is selected'],
  ],
  'In the list of clients': [
    [['j'], 'Next client'],
    [['k'], 'Previous client'],
    [['Enter'], 'Open the client'],
    ...(canEdit ? SELECTION_SHORTCUTS : []),
  ],
  'On a client’s page': [
    [['j'], 'The next client of the list'],
    [['k'], 'The previous client'],
  ],
  'Go to a page: one key after the other': PAGES.map(({ letter, label }) => [['g', letter], label]),
});

const SELECTION_SHORTCUTS: Shortcut[] = [
  [['x'], 'Select the client'],
  [['Shift', 'Space'], 'While a checkbox has the focus: select all from the last one to this one'],
];

export function ShortcutList() {
  const canEdit = useCanEdit();
  const onReview = REVIEW_SHORTCUTS.filter(({ changes }) => canEdit || !changes);
  const all = {
    ...shortcutsFor(canEdit),
    'On the Review page': onReview.map(({ keys, description }): Shortcut => [keys, description]),
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
