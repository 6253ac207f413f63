/** After `g`, the letter of a page has to follow within this time. */
const SEQUENCE_MS = 1200;

/** Until when the letter of a page may follow `g`. There is one keyboard, so there is one such time. */
let goUntil = 0;

/** Whether the next letter opens a page, so that it must not do anything else. */
export function isGoing(): boolean {
  return performance.now() <= goUntil;
}

export function beginGoing(): void {
  goUntil = performance.now() + SEQUENCE_MS;
}

export function endGoing(): void {
  goUntil = 0;
}

/** A dialog may show what is shown only once. */
export function isDialogOpen(): boolean {
  return document.querySelector('[role=dialog]') !== null;
}

export const MENU_BUTTON_ID = 'menu-button';

/** The button that closes the menu of a small screen, if that is open. On a large one the menu is always there, without a button. */
export function openMenuButton(): HTMLElement | undefined {
  const button = document.getElementById(MENU_BUTTON_ID);
  const isOpen = button?.ariaExpanded === 'true' && button.checkVisibility();
  return isOpen ? button : undefined;
}

/** Where letters are typed, or choose something. Nobody types in a field that only shows what was chosen. */
const TYPING =
  'input:not([type=checkbox], [type=radio], [type=file], [readonly]), input[data-expanded], textarea, select, [contenteditable], [role=listbox], [role=menu]';

/** Where arrows have a meaning of their own. */
const MOVING = '[type=radio], [role=combobox]';

/** Whether a key belongs to what has the focus: it is typed there, or moves between radio buttons. */
export function isForControl({ target, key, isComposing }: KeyboardEvent): boolean {
  if (isComposing) return true;
  if (!(target instanceof Element)) return false;
  return target.closest(TYPING) !== null || (key.startsWith('Arrow') && target.matches(MOVING));
}

/** Whether there is nothing that Esc would close: no dialog, no list or menu of what has the focus, and not the menu of pages. */
export function hasNothingOpen(event: KeyboardEvent): boolean {
  return hasNothingAboveMenu(event) && openMenuButton() === undefined;
}

/** The same apart from the menu of pages, above which the others are opened. */
export function hasNothingAboveMenu({ target, isComposing }: KeyboardEvent): boolean {
  const isOpen = target instanceof Element && target.closest('input[data-expanded], [role=listbox], [role=menu]');
  return !isComposing && !isOpen && !isDialogOpen();
}

/** Whether a letter is meant for the page: nobody types it, no dialog is open, and it neither follows `g` nor has opened a page so. */
export function isForPage(event: KeyboardEvent): boolean {
  return !event.defaultPrevented && !isForControl(event) && !isGoing() && !isDialogOpen();
}
