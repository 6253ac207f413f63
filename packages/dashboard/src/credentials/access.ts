import type { Scope } from '#contract/credentials/keys.ts';

interface Access {
  scopes: readonly Scope[];
  label: string;
  description: string;
}

/** What a key can be allowed to do, in the order in which it is offered. */
export const ACCESS: readonly Access[] = [
  {
    scopes: ['clients:read'],
    label: 'Read clients',
    description: 'The program can see your clients, but change nothing.',
  },
  {
    scopes: ['clients:read', 'clients:write'],
    label: 'Read and change clients',
    description: 'The program may also add, change and erase clients.',
  },
  {
    scopes: ['clients:write'],
    label: 'Change clients',
    description: 'For a program that only delivers data: it cannot list clients.',
  },
];

/** What a key may do, in words. */
export function accessText(scopes: readonly Scope[]): string {
  return ACCESS.find((access) => accessName(access.scopes) === accessName(scopes))?.label ?? accessName(scopes);
}

/** One text for each combination of scopes, whatever their order. */
export function accessName(scopes: readonly Scope[]): string {
  return scopes.toSorted().join(' ');
}
