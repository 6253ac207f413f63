/** Somebody who has not pressed a key for this long does not type any more. */
const REST_MS = 400;

/** Until when a key belongs to the reason before it. There is one keyboard, so there is one such time. */
let typedUntil = 0;

/** After a reason was typed and sent. */
export function expectMoreTyping(now = performance.now()): void {
  typedUntil = now + REST_MS;
}

/**
 * Whether a key goes on with the reason that was sent before it, such as after an Enter in the midst of a sentence. Its letters
 * are not meant as shortcuts for the next client, which has taken the place of the dialog.
 */
export function isTypedOn({ key, timeStamp }: Pick<KeyboardEvent, 'key' | 'timeStamp'>): boolean {
  const isText = [...key].length === 1 || key === 'Enter';
  if (!isText || timeStamp > typedUntil) return false;
  typedUntil = timeStamp + REST_MS;
  return true;
}

/** Takes such a key away from the shortcuts of the page, also from the others. A row does not take it for a click, either. */
export function swallowTypedOn(event: KeyboardEvent): boolean {
  if (!isTypedOn(event)) return false;
  event.preventDefault();
  event.stopPropagation();
  return true;
}
