const POLL_MS = 25;

/** Longer than a page usually takes to load. */
const WAIT_MS = 10_000;

/** Moves the focus to an element as soon as it is there, because its page may still be loading. Gives up when another page is opened. */
export async function focusWhenShown(id: string): Promise<void> {
  (await whenShown(`#${id}`))?.focus();
}

/** Finds an element as soon as it is there, in the same way. */
export async function whenShown(selector: string): Promise<HTMLElement | null> {
  const { pathname } = location;
  const end = performance.now() + WAIT_MS;
  while (!document.querySelector(selector) && location.pathname === pathname && performance.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return location.pathname === pathname ? document.querySelector<HTMLElement>(selector) : null;
}
