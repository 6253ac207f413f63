import { useParams } from '@tanstack/react-router';
import { ENVIRONMENTS, type Environment } from '#contract/environments.ts';

const KEY = 'rollcall-environment';

/** The environment in the address; everything on the page belongs to it. */
export function useEnvironment(): Environment {
  return useParams({ from: '/$environment' }).environment;
}

export function parseEnvironment(text: string | null): Environment | undefined {
  return ENVIRONMENTS.find((environment) => environment === text);
}

export function otherEnvironment(environment: Environment): Environment {
  return environment === 'production' ? 'sandbox' : 'production';
}

export function rememberEnvironment(environment: Environment): void {
  localStorage.setItem(KEY, environment);
}

/** The environment that this browser has shown last. */
export function rememberedEnvironment(): Environment | undefined {
  return parseEnvironment(localStorage.getItem(KEY));
}
