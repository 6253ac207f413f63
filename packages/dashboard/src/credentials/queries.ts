import { queryOptions } from '@tanstack/react-query';
import type { KeyRecord } from '#contract/credentials/keys.ts';
import type { Environment } from '#contract/environments.ts';
import { callConsole } from '../api.ts';

export const keysQuery = (environment: Environment) =>
  queryOptions({
    queryKey: [environment, 'keys'],
    queryFn: () => callConsole<{ keys: KeyRecord[] }>('GET', `/${environment}/keys`),
  });
