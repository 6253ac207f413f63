/** Whether what had the focus has gone or was disabled, so that the keyboard would start again from the top. */
export function isFocusLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}
