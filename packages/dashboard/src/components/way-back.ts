import { useLocation } from '@tanstack/react-router';
import { PAGES } from './navigation.ts';

declare module '@tanstack/history' {
  interface HistoryState {
    /** The address of the page from which this one was opened. */
    cameFrom?: string | undefined;
  }
}

/** The state for a link to a page that leads back to this one. */
export function useFromHere(): { cameFrom: string } {
  return { cameFrom: useLocation({ select: ({ href }) => href }) };
}

/** The page from which this one was opened, if that is known: a link that was opened in another tab does not say. */
export function useWayBack(): { href: string; label: string } | undefined {
  const cameFrom = useLocation({ select: ({ state }) => state.cameFrom });
  return cameFrom === undefined ? undefined : { href: cameFrom, label: pageLabel(cameFrom) };
}

const IMPORT = '/$environment/import';

/** `Activity` for `/sandbox/settings/activity?page=2`. That of an import belongs to *Import*. */
export function pageLabel(href: string): string {
  const path = href.replace(/[?#].*$/s, '').replace(/^\/[^/]+/, () => '/$environment');
  const page = path.startsWith(`${IMPORT}/`) ? IMPORT : path;
  return PAGES.find(({ to }) => to === page)?.label ?? 'Back';
}
