import { useHotkeys } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { lastClientsSearch } from '../clients/index.ts';
import { useEnvironment } from '../environment.ts';
import { PAGES } from './navigation.ts';

/** After `g`, the letter of a page has to follow within this time. */
const SEQUENCE_MS = 1200;
const POLL_MS = 25;

export const SEARCH_FIELD_ID = 'client-search';

/** Until when the letter of a page may follow `g`. There is one keyboard, so there is one such time. */
let goUntil = 0;

/** Whether the next letter opens a page, so that it must not do anything else. */
export function isGoing(): boolean {
  return performance.now() <= goUntil;
}

interface ShortcutDeeds {
  onHelp(): void;
  /** Opens the palette, or closes it. */
  onPalette(): void;
  isPaletteOpen: boolean;
}

/**
 * Ctrl/⌘ K opens the palette, `/` searches, `g` and a letter opens a page, `?` shows the help. Those without Ctrl or ⌘ are
 * ignored while the member is typing. `ShortcutList` describes them.
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
      goUntil = 0;
      navigate({ to, params: { environment } });
    },
  ]);
  const goOrGroups = () => {
    if (isGoing()) letters.find(([letter]) => letter === 'g')?.[1]();
    else goUntil = performance.now() + SEQUENCE_MS;
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
}

/** A dialog may show what is shown only once. */
export function isDialogOpen(): boolean {
  return document.querySelector('[role=dialog]') !== null;
}

/** Waits for an element to appear; gives up when another page is opened. */
async function waitForElement(id: string): Promise<HTMLElement | null> {
  const { pathname } = location;
  while (!document.getElementById(id) && location.pathname === pathname) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return document.getElementById(id);
}
