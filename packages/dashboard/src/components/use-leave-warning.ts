import { useEffect } from 'react';

/** Lets the browser ask before the page is closed or loaded again, because something on it would be lost. */
export function useLeaveWarning(wouldLose: boolean): void {
  useEffect(() => {
    if (!wouldLose) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [wouldLose]);
}
