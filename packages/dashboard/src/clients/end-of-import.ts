import { type QueryClient, QueryObserver } from '@tanstack/react-query';
import type { ImportRecord } from '#contract/clients/imports.ts';
import type { Environment } from '#contract/environments.ts';
import { isTemporary } from '../api.ts';
import { importQuery, isOver } from './queries.ts';

/**
 * Waits for the end of an import, also while no page shows it and the member looks at another tab. Returns `undefined` if nobody can
 * tell any more what has become of it: it was removed, or the member has signed out.
 */
export function endOfImport(
  queries: QueryClient,
  environment: Environment,
  importId: string,
): Promise<ImportRecord | undefined> {
  const query = { ...importQuery(environment, importId), refetchIntervalInBackground: true };
  const observer = new QueryObserver(queries, query);
  return new Promise((resolve) => {
    const settle = () => {
      const { data, error } = observer.getCurrentResult();
      const isLost = error !== null && !isTemporary(error);
      if (!isLost && !(data && isOver(data.import))) return;
      stop();
      resolve(isLost ? undefined : data?.import);
    };
    const stop = observer.subscribe(settle);
    settle();
  });
}
