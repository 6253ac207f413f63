import { useEffect, useEffectEvent } from 'react';
import { isDialogOpen, isGoing } from '../components/use-shortcuts.ts';
import type { ReviewActions } from './review-details.tsx';
import { ROW_ATTRIBUTE } from './review-list.tsx';

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

/** Where keys have a meaning of their own, which they keep. */
const TYPING = 'input:not([type=checkbox]), textarea, select, [contenteditable], [role=listbox], [role=menu]';
const CONTROLS = 'a, button, input, summary, [role=button]';

/**
 * The keys of the page Review. They do nothing while somebody types, with Ctrl, Meta or Alt, while a dialog is open, and
 * after `g`. A key that is held down only moves.
 */
export function useReviewKeys(actions: KeyActions): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const name = Object.hasOwn(KEYS, event.key) ? KEYS[event.key] : undefined;
    if (name === undefined || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (event.isComposing || isGoing() || isDialogOpen() || isMeantFor(event.target, name)) return;
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

/** Whether the key belongs to what has the focus: a field, or Enter on a button or a link. */
function isMeantFor(target: EventTarget | null, action: keyof KeyActions): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest(TYPING)) return true;
  return action === 'open' && target.closest(CONTROLS) !== null && !target.hasAttribute(ROW_ATTRIBUTE);
}
