import fc from 'fast-check';
import { type Actor, OPERATOR } from '../../../domain/change.ts';
import type { ActingMember } from '../../../domain/members/member.ts';
import { type ModelAccount, type ModelMember, type ModelWorkspace, type State, workspacesOf } from '../model/state.ts';
import { ORIGIN, type Request } from '../requests.ts';

/** A randomly chosen operation. Its requests depend on the state at that time. */
export interface Operation {
  /** A description for failure reports. */
  readonly text: string;
  /** One request, several in sequence, or none if there is nothing to apply it to. */
  requests(state: State, at: number): Request[];
}

/** A request without its time. */
type Untimed<R> = R extends Request ? Omit<R, 'at'> : never;
export type UntimedRequest = Untimed<Request>;

interface Where {
  state: State;
  at: number;
}

/** Defines an operation by its weight, its random choice and the requests that follow from it. */
export function operation<Choice>(
  weight: number,
  name: string,
  choices: fc.Arbitrary<Choice>,
  wishes: (choice: Choice, where: Where) => UntimedRequest | UntimedRequest[] | undefined,
): fc.WeightedArbitrary<Operation> {
  const arbitrary = choices.map(
    (choice): Operation => ({
      text: `${name} ${JSON.stringify(choice)}`,
      requests: (state, at) => {
        const wished = wishes(choice, { state, at }) ?? [];
        return (Array.isArray(wished) ? wished : [wished]).map((wish) => ({ ...wish, at }) as Request);
      },
    }),
  );
  return { arbitrary, weight };
}

/** Selects one item of a list of any length. */
export const which = fc.nat(999);

export function pick<T>(list: readonly T[], which: number): T | undefined {
  return list[which % list.length];
}

/** Most operations are in one workspace, so that it has enough data. The others show that changes do not affect other workspaces. */
export const inWorkspace = fc.constantFrom(0, 0, 0, 0, 0, 1, 1, 2, 3);
export const inAccount = fc.constantFrom(0, 0, 0, 1);

export function workspaceAt(state: State, index: number): { account: ModelAccount; workspace: ModelWorkspace } {
  const workspace = workspacesOf(state)[index];
  const account = state.accounts.find((each) => workspace && each.workspaces.includes(workspace));
  if (!workspace || !account) throw new Error(`The model has no workspace at ${index}.`);
  return { account, workspace };
}

export function accountAt(state: State, index: number): ModelAccount {
  const account = state.accounts[index];
  if (!account) throw new Error(`The model has no account at ${index}.`);
  return account;
}

/** A member in the dashboard, possibly one who was just removed, or the operator at the command line. */
export function actorOf(account: ModelAccount, which: number): Actor {
  const member = pick([...account.members, undefined, ...account.formerMembers.slice(-1)], which);
  return member ? actingAs(account, member) : OPERATOR;
}

/** A member; sometimes one who was removed while their browser was still open. */
export function memberActing(account: ModelAccount, which: number): ActingMember | undefined {
  const everybody = [...account.members, ...account.members, ...account.members, ...account.formerMembers.slice(-1)];
  const member = pick(everybody, which);
  return member && actingAs(account, member);
}

export function actingAs(account: ModelAccount, member: ModelMember): ActingMember {
  const { id: memberId, email: name, role } = member;
  return { accountId: account.id, memberId, name, role, address: ORIGIN.address };
}

/** Usually a valid value, and sometimes one that must be refused. */
export function mostly<T>(sensible: fc.Arbitrary<T>, wrong: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ weight: 25, arbitrary: sensible }, { weight: 1, arbitrary: wrong });
}
