import { useParams } from '@tanstack/react-router';
import { ENVIRONMENTS, type Environment } from '#contract/environments.ts';

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

export function rememberEnvironment(accountId: number, environment: Environment): void {
  localStorage.setItem(keyOf(accountId), environment);
}

/** The environment of this account that this browser has shown last. */
export function rememberedEnvironment(accountId: number): Environment | undefined {
  return parseEnvironment(localStorage.getItem(keyOf(accountId)));
}

/** Other accounts may have their clients in the other environment. */
function keyOf(accountId: number): string {
  return `rollcall-environment-${accountId}`;
}
