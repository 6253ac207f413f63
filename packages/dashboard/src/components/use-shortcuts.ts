import { useHotkeys } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { lastClientsSearch, useUndoKey } from '../clients/index.ts';
import { useEnvironment } from '../environment.ts';
import { focusWhenShown } from './focus-when-shown.ts';
import { PAGES } from './navigation.ts';
import { beginGoing, endGoing, isDialogOpen, isForControl, isGoing } from './page-keys.ts';
import { type PageKey, usePageKeys } from './use-page-keys.ts';

export const SEARCH_FIELD_ID = 'client-search';

interface ShortcutDeeds {
  onHelp(): void;
  /** Opens the palette, or closes it. */
  onPalette(): void;
  isPaletteOpen: boolean;
}

/**
 * Ctrl/⌘ K opens the palette, `/` searches, `g` and a letter opens a page, `?` shows the help, `u` undoes what a message
 * offers to undo. Those without Ctrl or ⌘ are ignored while the member is typing. `ShortcutList` describes them.
 */
export function useShortcuts({ onHelp, onPalette, isPaletteOpen }: ShortcutDeeds): void {
  const environment = useEnvironment();
  const navigate = useNavigate();

  const search = async () => {
    // On the list itself, its filters stay.
    if (!document.getElementById(SEARCH_FIELD_ID)) {
      await navigate({ to: '/$environment/clients', params: { environment }, search: lastClientsSearch(environment) });
    }
    await focusWhenShown(SEARCH_FIELD_ID);
  };
  const open = (opened: string) => {
    endGoing();
    const page = PAGES.find(({ letter }) => letter === opened);
    if (page) navigate({ to: page.to, params: { environment } });
  };
  const letters = PAGES.map(({ letter }) => letter).filter((letter) => letter !== 'g');
  usePageKeys(
    letters.map((letter): PageKey => [letter, () => open(letter)]),
    (event) => isGoing() && isShortcut(event),
  );
  const shortcuts: PageKey[] = [
    ['/', search],
    ['shift+?', onHelp],
    ['?', onHelp],
    ['g', () => (isGoing() ? open('g') : beginGoing())],
  ];
  usePageKeys(shortcuts, isShortcut);
  useHotkeys([['mod+K', () => void ((isDialogOpen() && !isPaletteOpen) || onPalette())]], []);
  useUndoKey();
}

function isShortcut(event: KeyboardEvent): boolean {
  return !isForControl(event) && !isDialogOpen();
}
