import { useParams } from '@tanstack/react-router';
import type { Environment } from './queries.ts';

const KEY = 'rollcall-environment';

/** The environment of the address: everything on the page is of this one. */
export function useEnvironment(): Environment {
  return useParams({ from: '/$environment' }).environment;
}

export function rememberEnvironment(environment: Environment): void {
  localStorage.setItem(KEY, environment);
}

/** Where to begin when the address does not say. */
export function rememberedEnvironment(): Environment {
  return localStorage.getItem(KEY) === 'sandbox' ? 'sandbox' : 'production';
}
