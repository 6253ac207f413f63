import { useHotkeys } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { lastClientsSearch, useUndoKey } from '../clients/index.ts';
import { useEnvironment } from '../environment.ts';
import { PAGES } from './navigation.ts';
import { beginGoing, endGoing, isDialogOpen, isGoing } from './page-keys.ts';

const POLL_MS = 25;

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
    // The page may still be loading.
    const field = await waitForElement(SEARCH_FIELD_ID);
    field?.focus();
  };
  const letters = PAGES.map(({ letter, to }): [string, () => void] => [
    letter,
    () => {
      if (!isGoing()) return;
      endGoing();
      navigate({ to, params: { environment } });
    },
  ]);
  const goOrGroups = () => {
    if (isGoing()) letters.find(([letter]) => letter === 'g')?.[1]();
    else beginGoing();
  };
  const shortcuts: [string, () => unknown][] = [
    ['/', search],
    ['shift+?', onHelp],
    ['?', onHelp],
    ['g', goOrGroups],
    ...letters.filter(([letter]) => letter !== 'g'),
  ];
  useHotkeys(shortcuts.map(([keys, run]) => [keys, () => void (isDialogOpen() || run())]));
  useHotkeys([['mod+K', () => void ((isDialogOpen() && !isPaletteOpen) || onPalette())]], []);
  useUndoKey();
}

/** Waits for an element to appear; gives up when another page is opened. */
async function waitForElement(id: string): Promise<HTMLElement | null> {
  const { pathname } = location;
  while (!document.getElementById(id) && location.pathname === pathname) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return document.getElementById(id);
}
