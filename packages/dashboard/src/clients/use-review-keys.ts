import { useEffect, useEffectEvent } from 'react';
import { isForPage } from '../components/page-keys.ts';
import type { ReviewActions } from './review-details.tsx';
import { ROW_ATTRIBUTE } from './review-list.tsx';
import { swallowTypedOn } from './typed-on.ts';

interface KeyActions extends ReviewActions {
  next(): void;
  previous(): void;
  open(): void;
  select(): void;
  clearSelection(): void;
  undo(): void;
}

const KEYS: Record<string, keyof KeyActions> = {
  j: 'next',
  ArrowDown: 'next',
  k: 'previous',
  ArrowUp: 'previous',
  Enter: 'open',
  c: 'complete',
  d: 'decline',
  a: 'assign',
  x: 'select',
  Escape: 'clearSelection',
  u: 'undo',
};

const REPEATABLE: readonly (keyof KeyActions)[] = ['next', 'previous'];

const CONTROLS = 'a, button, input, summary, [role=button]';

/**
 * The keys of the page Review. They do nothing while somebody types (also on, after a reason was sent), with Ctrl, Meta or Alt,
 * while a dialog is open, and after `g`. A key that is held down only moves.
 */
export function useReviewKeys(actions: KeyActions): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !isForPage(event)) return;
    if (swallowTypedOn(event)) return;
    const name = Object.hasOwn(KEYS, event.key) ? KEYS[event.key] : undefined;
    if (name === undefined || event.shiftKey || (name === 'open' && isOnControl(event.target))) return;
    event.preventDefault();
    if (!event.repeat || REPEATABLE.includes(name)) actions[name]();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    // Before the letters of pages, which listen further inside.
    window.addEventListener('keydown', listener, { capture: true });
    return () => window.removeEventListener('keydown', listener, { capture: true });
  }, []);
}

/** Enter on a button or a link belongs to that, except on the row of a client. */
function isOnControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(CONTROLS) !== null && !target.hasAttribute(ROW_ATTRIBUTE);
}
