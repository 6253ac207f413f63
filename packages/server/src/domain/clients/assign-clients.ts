import type { ChangeBy, ChangeWorkspace, InWorkspace } from '../change.ts';
import type { Clock } from '../clock.ts';
import type { Environment } from '../environment.ts';
import { Failure } from '../failure.ts';
import { type Outcomes, outcomeOf } from './one-by-one.ts';

/** The member who is to review a client. */
export interface Assignee {
  memberId: number;
  email: string;
}

/** What the activity log has in place of an email. */
const NOBODY = 'nobody';

/** Changes of who reviews which client, within a change to a workspace. The API shows nothing of it, so clients count as unchanged. */
export interface AssignmentChanges {
  /** A member of the account, who cannot be removed until the change is over. */
  member(memberId: number): Promise<Assignee | undefined>;
  /**
   * Passes the assignee to `decide`, and assigns the client to whom it returns, with a line in the history of the client.
   * Returns `undefined` if there is no such client.
   */
  assign(
    referenceId: string,
    decide: (current: Assignee | null) => Assignee | null,
  ): Promise<{ from: Assignee | null; changed: boolean } | undefined>;
  /** Takes all clients from a member, with a line in the history of each. Returns how many they were. */
  unassignAll(assignee: Assignee): Promise<number>;
}

export interface AssignClientsDeps {
  changeWorkspace: ChangeWorkspace<{ assignments: AssignmentChanges }>;
  clock: Clock;
}

export interface Assignment {
  /** The clients, with the member to whom each was assigned when it was shown. */
  clients: readonly { referenceId: string; expected: number | null }[];
  /** Null for nobody. */
  memberId: number | null;
}

/** Assigns clients in one transaction, except for those that somebody else has assigned in the meantime. */
export async function assignClients(
  { changeWorkspace, clock }: AssignClientsDeps,
  by: ChangeBy,
  { clients, memberId }: Assignment,
): Promise<Outcomes> {
  const assigned = new Map(clients.map((client) => [client.referenceId, client.expected]));
  return changeWorkspace({ ...by, at: clock.now() }, async ({ assignments, record }) => {
    const assignee = memberId === null ? null : await assignments.member(memberId);
    if (assignee === undefined) throw new Failure('not_found', 'There is no such member.');
    const references: string[] = [];
    const result: Outcomes = { changed: 0, refused: [] };
    for (const [referenceId, expected] of assigned) {
      const outcome = await outcomeOf(async () => {
        const done = await assignments.assign(referenceId, (current) => {
          requireAsSeen(current, expected, assignee);
          return assignee;
        });
        if (done?.changed && assigned.size === 1) {
          const changed = { from: { assignee: done.from?.email ?? null }, to: { assignee: assignee?.email ?? null } };
          record('client.assigned', referenceId, { changed });
        }
        return done;
      });
      if (outcome === 'changed') references.push(referenceId);
      else if (outcome !== 'unchanged') result.refused.push({ referenceId, reason: outcome.refused });
    }
    result.changed = references.length;
    if (assigned.size > 1) {
      record('client.assigned', assignee?.email ?? NOBODY, { clients: result.changed, references });
    }
    return result;
  });
}

/** Two members who want the same are not in each other's way. */
function requireAsSeen(current: Assignee | null, expected: number | null, wanted: Assignee | null): void {
  const now = current?.memberId ?? null;
  if (now === expected || now === (wanted?.memberId ?? null)) return;
  const whom = current ? `It is now assigned to ${current.email}.` : 'It is now assigned to nobody.';
  throw new Failure('conflict', `Somebody else has changed the assignee of this client in the meantime. ${whom}`);
}

/** A change to an account, as far as it concerns assignees. */
export interface AssigningAccount {
  members: {
    /** Where clients are assigned to the member now. */
    assignedIn(memberId: number): Promise<Environment[]>;
  };
  inWorkspace: InWorkspace<{ assignments: AssignmentChanges }>;
}

/** Thrown within a change that removes a member when somebody has assigned a client to them since the change began. */
export class AssignedMeanwhile extends Failure {
  constructor() {
    super('conflict', 'Somebody has assigned clients to this member in the meantime. Try again.');
  }
}

/**
 * A member who is removed reviews nothing any more. Only workspaces in which they do are locked, because that may take a while,
 * unless others are given.
 */
export async function endAssignmentsOf(
  { members, inWorkspace }: AssigningAccount,
  assignee: Assignee,
  environments?: readonly Environment[],
): Promise<void> {
  for (const environment of environments ?? (await members.assignedIn(assignee.memberId))) {
    await inWorkspace(environment, async ({ assignments, record }) => {
      const clients = await assignments.unassignAll(assignee);
      record('client.assigned', NOBODY, { clients });
    });
  }
}
