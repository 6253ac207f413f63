import { useEffect } from 'react';
import { usePageKeys } from '../components/use-page-keys.ts';
import { useEnvironment } from '../environment.ts';
import { forgetChange, undoLastChange } from './change-message.tsx';

/** `u` undoes the last change as long as its message offers it. The message does not follow the member to the other environment. */
export function useUndoKey(): void {
  const environment = useEnvironment();
  useEffect(() => forgetChange, [environment]);
  usePageKeys([['u', undoLastChange]]);
}
