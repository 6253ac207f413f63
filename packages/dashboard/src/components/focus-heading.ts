/** Puts the focus on the title of the page when what had it goes, so that the keyboard does not start again from the top. */
export function focusHeading(): void {
  document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
}
