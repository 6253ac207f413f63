import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { Environment } from '#contract/environments.ts';
import { keptFile } from './kept-file.ts';

declare module '@tanstack/history' {
  interface HistoryState {
    /** The import that was started on this visit of the page of imports. */
    ownImport?: string;
  }
}

/** Remembers the import for whoever goes on to another page and comes back with the browser's button. */
export function useNoteOwnImport(importId: string | undefined): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (importId === undefined) return;
    void navigate({
      to: '.',
      state: (state) => ({ ...state, ownImport: importId }),
      replace: true,
      resetScroll: false,
    });
  }, [importId, navigate]);
}

/** The import that was on the page to which the member has come back, or which they have loaded again. */
export function useFormerImport(environment: Environment): string | undefined {
  const noted = useLocation({ select: ({ state }) => state.ownImport });
  // A file that was chosen since is on the page instead.
  const [former] = useState(keptFile(environment) ? undefined : noted);
  return former;
}
