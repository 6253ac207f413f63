import { afterEach } from 'vitest';
import { statementsWithoutWorkspace, watchWorkspaces } from './workspace-watch.ts';

// Nobody may see the clients of others. A test fails in which the store forgets to say whose rows it means, whatever it tests.
watchWorkspaces();
afterEach(() => {
  const found = statementsWithoutWorkspace();
  if (found.length > 0) throw new Error(`Statements that do not name their workspace:\n${found.join('\n')}`);
});
