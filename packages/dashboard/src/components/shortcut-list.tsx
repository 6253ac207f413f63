import { Group, Stack, Text, Title } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import { REVIEW_SHORTCUTS } from '../clients/index.ts';
import { useCanEdit } from '../session.ts';
import { Keys } from './keys.tsx';
import { PAGES } from './navigation.ts';

const IN_LIST = 'In the list of clients';
const ON_CLIENT = 'On a client’s page';
const ON_REVIEW = 'On the Review page';

/** The shortcuts that work only on one page, by its address after the environment. */
const OF_PAGES: [address: RegExp, where: string][] = [
  [/^\/clients$/, IN_LIST],
  [/^\/clients\/./, ON_CLIENT],
  [/^\/review$/, ON_REVIEW],
];

/** The keys as `Keys` draws them. */
type Shortcut = [keys: string, description: string];

/** Every shortcut, by where it works. `use-shortcuts.ts`, `palette-list.tsx`, `neighbours.tsx`, `status-actions.tsx` and those of the list and of the review carry them out. */
const shortcutsFor = (canEdit: boolean): Record<string, Shortcut[]> => ({
  'On every page': [
    ['Ctrl/⌘ + K', 'Find a client, group, view, API key, page or action'],
    ['/', 'Search clients by name, email or ID'],
    ['?', 'Show these shortcuts'],
    ...(canEdit ? UNDO_SHORTCUT : []),
    ['Esc', 'Close what is open, but not a secret that is shown only once'],
  ],
  ...(canEdit && { 'In a dialog that asks for a reason': CONFIRM_SHORTCUTS }),
  'In the search palette': [
    ['↑ or ↓', 'Select'],
    ['Enter', 'Open or do what is selected'],
  ],
  'In the search field of the list': [
    ['↓ or Enter', 'Go to the first client that was found'],
    ['Esc', 'Clear the search; once more: leave the field'],
  ],
  [IN_LIST]: [
    ['j', 'Next client'],
    ['k', 'Previous client'],
    ['Enter', 'Open the client'],
    ...(canEdit ? SELECTION_SHORTCUTS : LEAVE_SHORTCUT),
  ],
  [ON_CLIENT]: [
    ['j', 'The next client of the list'],
    ['k', 'The previous client'],
    ...(canEdit ? DECISION_SHORTCUTS : []),
  ],
  'Go to a page': PAGES.map(({ letter, label }) => [`g then ${letter}`, label]),
});

const UNDO_SHORTCUT: Shortcut[] = [['u', 'Undo the last change, as long as the message offers it']];

/** They ask for the reason first. */
const DECISION_SHORTCUTS: Shortcut[] = [
  ['c', 'Complete the client, if the page offers it'],
  ['d', 'Decline the client, if the page offers it'],
];

/** Where a dialog asks for a reason. */
const CONFIRM_SHORTCUTS: Shortcut[] = [
  ['Enter', 'Confirm what can be undone'],
  ['Ctrl/⌘ + Enter', 'Confirm, also what cannot be undone'],
];

const LEAVE_SHORTCUT: Shortcut[] = [['Esc', 'Go back to the list from a filter']];

const SELECTION_SHORTCUTS: Shortcut[] = [
  ['x', 'Select the client'],
  ['s', 'Go to what can be done with the selected clients'],
  ['Esc', 'Go back to the list from there or from a filter; in the list: clear the selection'],
  ['Shift + Space', 'While a checkbox has the focus: select all from the last one to this one'],
];

/** Those of the page that is open come first, because most people ask for them. */
export function ShortcutList() {
  const canEdit = useCanEdit();
  const address = useLocation({ select: ({ pathname }) => pathname.replace(/^\/[^/]+|\/$/g, '') });
  const onReview = REVIEW_SHORTCUTS.filter(({ changes }) => canEdit || !changes);
  const all = {
    ...shortcutsFor(canEdit),
    [ON_REVIEW]: onReview.map(({ keys, description }): Shortcut => [keys, description]),
  };
  const here = OF_PAGES.find(([page]) => page.test(address))?.[1];
  const sections = Object.entries(all).sort(([a], [b]) => Number(b === here) - Number(a === here));
  return (
    <Stack gap="lg">
      {sections.map(([where, shortcuts]) => (
        <section key={where}>
          <Title order={3} size="h6" mb={8}>
            {where}
          </Title>
          <Stack gap={8} component="ul" className="plain-list">
            {shortcuts.map(([keys, description]) => (
              <Group key={description} component="li" justify="space-between" wrap="nowrap">
                <Text size="sm">{description}</Text>
                <Keys text={keys} />
              </Group>
            ))}
          </Stack>
        </section>
      ))}
    </Stack>
  );
}
