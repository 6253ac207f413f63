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

/** Where keys have a meaning of their own, which they keep. */
const TYPING = 'input:not([type=checkbox]), textarea, select, [contenteditable], [role=listbox], [role=menu]';

/** Whether a letter is meant for the page: nobody types it, no dialog is open, and it does not follow `g`. */
export function isForPage({ target, isComposing }: KeyboardEvent): boolean {
  const isTyped = target instanceof Element && target.closest(TYPING) !== null;
  return !isTyped && !isComposing && !isGoing() && !isDialogOpen();
}
