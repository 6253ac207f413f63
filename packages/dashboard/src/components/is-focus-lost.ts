/**
 * Whether what had the focus has gone or was disabled, so that the keyboard would start again from the top. The title of a page gets the
 * focus only by program, when there is no better place, so that whoever knows one may take it from there.
 */
export function isFocusLost(): boolean {
  const focused = document.activeElement;
  return focused === null || focused === document.body || focused.matches('main h1');
}
