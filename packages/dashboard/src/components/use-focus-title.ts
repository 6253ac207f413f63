import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { focusHeading } from './focus-heading.ts';
import { whenShown } from './focus-when-shown.ts';

/**
 * When a page opens, the link that had the focus has often gone with the former page. The keyboard goes on at the title then, unless
 * the page itself has put the focus elsewhere. The first page begins at its top.
 */
export function useFocusTitle(): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (fromLocation && pathChanged) void focusTitle();
      }),
    [router],
  );
}

async function focusTitle(): Promise<void> {
  // The title of a record is its name, which may not have arrived.
  if ((await whenShown('main h1')) && document.activeElement === document.body) focusHeading();
}
