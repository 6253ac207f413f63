import { useHotkeys } from '@mantine/hooks';
import { useEffect } from 'react';
import { isForPage } from '../components/page-keys.ts';
import { useEnvironment } from '../environment.ts';
import { forgetChange, undoLastChange } from './change-message.tsx';

/** `u` undoes the last change as long as its message offers it. The message does not follow the member to the other environment. */
export function useUndoKey(): void {
  const environment = useEnvironment();
  useEffect(() => forgetChange, [environment]);
  useHotkeys([['u', (event) => isForPage(event) && undoLastChange(), { preventDefault: false }]], []);
}
