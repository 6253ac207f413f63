import { type ReactNode, useEffect, useState } from 'react';

const A_WHILE_MS = 500;

/** Shows what would only flash if the wait is over sooner. */
export function AfterAWhile({ children }: { children: ReactNode }) {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), A_WHILE_MS);
    return () => clearTimeout(timer);
  }, []);
  return isShown && children;
}
