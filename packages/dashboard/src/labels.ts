import type { ClientStatus, ClientType, RequestStatus } from '#contract/clients/index.ts';
import type { Environment } from '#contract/environments.ts';
import type { Role } from '#contract/members/index.ts';

// How the dashboard shows the values of the console, in the order in which it lists them. The types come from the
// contract, so a value that is added there does not compile until it has a label here.

/** In the order in which a request usually goes through them. */
export const REQUEST_STATUS_LABELS: Record<RequestStatus, string> = {
  requested: 'Requested',
  accepted: 'Accepted',
  pending: 'Pending',
  completed: 'Completed',
  declined: 'Declined',
};

export const CLIENT_STATUS_LABELS: Record<ClientStatus, string> = { active: 'Active', inactive: 'Inactive' };

export const CLIENT_TYPE_LABELS: Record<ClientType, string> = { individual: 'Individual', company: 'Company' };

export const ROLE_LABELS: Record<Role, string> = { owner: 'Owner', admin: 'Admin', viewer: 'Viewer' };

export const ENVIRONMENT_LABELS: Record<Environment, string> = { production: 'Production', sandbox: 'Sandbox' };

/** The names of the environments within a sentence, such as `No clients in the sandbox yet`. */
export const ENVIRONMENT_NAMES: Record<Environment, string> = { production: 'production', sandbox: 'the sandbox' };

/** The labels of links and commands that open the environment. */
export const SWITCH_LABELS: Record<Environment, string> = {
  production: 'Switch to production',
  sandbox: 'Switch to sandbox',
};

/** Who made a change, where that is not a member: the records name the command line `operator`. */
export const ACTOR_LABELS = { operator: 'Command line' };

/** Who made a change, in words. A key is named by its id where there is no record of it any more. */
export function actorText(actor: string, keyName?: string | null): string {
  if (keyName) return `API key “${keyName}”`;
  return isKeyId(actor) ? `API key ${actor}` : labelOf(ACTOR_LABELS, actor);
}

/** The others are emails and `operator`. */
function isKeyId(actor: string): boolean {
  return /^key_[\w-]+$/.test(actor);
}

/** The values with their labels, as selects and lists take them. */
export function optionsOf<Value extends string>(labels: Record<Value, string>): { value: Value; label: string }[] {
  return Object.entries<string>(labels).map(([value, label]) => ({ value: value as Value, label }));
}

/** The label of a value that may come from an address or an old record; an unknown value is its own label. */
export function labelOf(labels: Record<string, string>, value: string): string {
  return Object.hasOwn(labels, value) ? (labels[value] ?? value) : value;
}
