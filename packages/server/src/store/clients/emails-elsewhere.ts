import { sql } from 'kysely';
import { fold } from '../../domain/text.ts';
import type { ClientRow, LookedUp, LookupSource } from './existing-rows.ts';

/**
 * Which emails of the rows clients have that are not among the loaded ones. These clients are in other groups than the rows: with
 * its email, a client of the group of a row is always loaded.
 */
export async function findEmailsElsewhere(
  [stored, ...changed]: readonly [LookupSource, ...LookupSource[]],
  workspaceId: number,
  rows: readonly LookedUp[],
  loaded: readonly ClientRow[],
): Promise<Set<string>> {
  const emails = emailsToFind(rows, loaded);
  const ids = loaded.map(({ id }) => id);
  const elsewhere = new Set<string>();
  const look = async (source: LookupSource, without: readonly number[]) => {
    for (const email of await selectHeld(source, workspaceId, emails, without)) elsewhere.add(email);
  };
  if (emails.length === 0) return elsewhere;
  const former = await Promise.all(changed.map((source) => source.formerHolders?.(emails) ?? []));
  await look(stored, [...ids, ...former.flat()]);
  for (const source of changed) await look(source, ids);
  return elsewhere;
}

/**
 * Nothing has to be known of the email of a row that surely finds its client, because it adds nobody. It finds one by its reference, which
 * nothing takes away; by an external id, unless a row with a reference may take it away; and by its email, unless a row with an id may.
 */
function emailsToFind(rows: readonly LookedUp[], loaded: readonly ClientRow[]): string[] {
  const hasReferences = rows.some(({ referenceId }) => referenceId !== undefined);
  const hasIds = hasReferences || rows.some(({ externalId }) => externalId);
  const references = new Set(hasReferences ? loaded.map((client) => client.reference_id) : []);
  const externalIds = new Set(hasIds && !hasReferences ? loaded.map((client) => client.external_id) : []);
  const known = new Set(hasIds ? [] : loaded.map((client) => client.email_folded));
  const emails = new Set<string>();
  for (const { email, referenceId, externalId } of rows) {
    if (email === undefined || (referenceId && references.has(referenceId))) continue;
    if (externalId && externalIds.has(externalId)) continue;
    // Most emails are folded already, which saves much of the time.
    if (known.has(email)) continue;
    const folded = fold(email);
    if (!known.has(folded)) emails.add(folded);
  }
  return [...emails];
}

/** Ends at the first client of each email, because any number of groups may have one. `offset` does so on PostgreSQL (decision 70). */
async function selectHeld(
  { db, engine }: LookupSource,
  workspaceId: number,
  emails: readonly string[],
  without: readonly number[],
): Promise<string[]> {
  const others = without.length > 0 ? sql`and c.id not in ${engine.listOf(without)}` : sql``;
  const { rows } = await sql<{ text: string }>`
    select w.text from ${engine.textRows(emails)} as w
    where exists (
      select 1 from clients as c
      where c.workspace_id = ${workspaceId} and c.email_folded = w.text ${others} limit 1 offset 0)`.execute(db);
  return rows.map(({ text }) => text);
}
