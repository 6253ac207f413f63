import type { ImportRecord } from '#contract/clients/imports.ts';

// A file may be older than what members have decided, or wrong about a group. What it would undo or double is told before it is imported.

/**
 * Whether a check has found something after which a member has to choose. Clients that are in the file more than once are only told:
 * the last row about them counts, and if it has another email or status, this is asked about.
 */
export function findsChanges(check: ImportRecord, keepsStatus: boolean): boolean {
  return changesClients(check, keepsStatus) || addsElsewhere(check);
}

/** What a check that has found something is announced with. */
export function questionOf(check: ImportRecord, keepsStatus: boolean): string {
  if (changesClients(check, keepsStatus)) return 'Not imported yet: clients would change';
  return 'Not imported yet: other groups have some of these emails';
}

function changesClients(check: ImportRecord, keepsStatus: boolean): boolean {
  return movesClients(check) || changesEmails(check) || (changesStatus(check) && !keepsStatus);
}

/** Whether a check tells all about an import. If it did not keep statuses, it also does so for an import that does. */
export function tellsAbout({ keep_status: kept = false }: ImportRecord, keepsStatus: boolean): boolean {
  return keepsStatus || !kept;
}

// A service of an earlier version does not tell all of this.

/** Whether an import moves clients that exist. */
export function movesClients({ group_changes: changes }: ImportRecord): boolean {
  return changes !== undefined && changes.moves.length > 0;
}

/** Whether an import gives clients another email. */
export function changesEmails({ email_changes: changes }: ImportRecord): boolean {
  return changes !== undefined && changes.rows > 0;
}

/** Whether an import adds clients whose email another group has. */
export function addsElsewhere({ emails_elsewhere: added }: ImportRecord): boolean {
  return added !== undefined && added.rows > 0;
}

/** Whether rows of an import replace what earlier ones of the same file say. */
export function repeatsClients({ repeats }: ImportRecord): boolean {
  return repeats !== undefined && repeats.rows > 0;
}

/** Whether an import changes the status of clients. */
export function changesStatus({ status_changes: changes = [] }: ImportRecord): boolean {
  return changes.length > 0;
}
