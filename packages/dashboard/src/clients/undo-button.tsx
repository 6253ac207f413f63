import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useIsLastChange } from './last-change.ts';

interface UndoButtonProps {
  /** As the last change names it. */
  changeId: string;
  onClick(): void;
  children: ReactNode;
}

/** Shows the key while that does the same. */
export function UndoButton({ changeId, onClick, children }: UndoButtonProps) {
  const hasKey = useIsLastChange(changeId);
  return (
    <Button
      size="compact-xs"
      variant="default"
      flex="none"
      onClick={onClick}
      rightSection={hasKey && <kbd className="key-hint">u</kbd>}
    >
      {children}
    </Button>
  );
}
