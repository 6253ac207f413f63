import { useEffect, useEffectEvent } from 'react';
import { hasNothingAboveMenu, openMenuButton } from './page-keys.ts';

/** Closes the menu of a small screen with Esc, and puts the focus on its button. */
export function useMenuEscape(close: () => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const button = openMenuButton();
    if (event.key !== 'Escape' || !button || !hasNothingAboveMenu(event)) return;
    // It would also clear what is selected or searched for below the menu.
    event.stopImmediatePropagation();
    close();
    button.focus();
  });
  useEffect(() => {
    // Before the fields of the page get the key, so that it is known what was open.
    const listener = (event: KeyboardEvent) => onKey(event);
    window.addEventListener('keydown', listener, { capture: true });
    return () => window.removeEventListener('keydown', listener, { capture: true });
  }, []);
}
