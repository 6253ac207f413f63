import { useHotkeys } from '@mantine/hooks';
import { isForPage } from './page-keys.ts';

/** A key, and what it does. */
export type PageKey = [key: string, run: (event: KeyboardEvent) => unknown];

/** Keys of a page, wherever the focus is, except where they are typed or have a meaning of their own. */
export function usePageKeys(keys: readonly PageKey[], isMeant = isForPage): void {
  useHotkeys(
    keys.map(([key, run]) => [
      key,
      (event) => {
        if (!isMeant(event)) return;
        // It may move the focus into a field, where it must not be typed.
        event.preventDefault();
        run(event);
      },
      { preventDefault: false },
    ]),
    // By itself, it would ignore them also on a radio button or a checkbox, where nobody types.
    [],
  );
}
