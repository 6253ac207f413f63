import fc from 'fast-check';
import { type Actor, OPERATOR } from '../../../domain/change.ts';
import type { ActingMember } from '../../../domain/members/member.ts';
import { type ModelAccount, type ModelMember, type ModelWorkspace, type State, workspacesOf } from '../model/state.ts';
import { ORIGIN, type Request } from '../requests.ts';

/** Something to do that was chosen at random. What it comes to depends on what there is by then. */
export interface Operation {
  /** In words and numbers, for whoever has to find out what went wrong. */
  readonly text: string;
  /** One request, several one after the other, or none when there is nothing to do it to. */
  requests(state: State, at: number): Request[];
}

/** A request without its time. */
type Untimed<R> = R extends Request ? Omit<R, 'at'> : never;
export type Wish = Untimed<Request>;

interface Where {
  state: State;
  at: number;
}

/** How often, what there is to choose, and what is then done. */
export function operation<Choice>(
  weight: number,
  name: string,
  choices: fc.Arbitrary<Choice>,
  wishes: (choice: Choice, where: Where) => Wish | Wish[] | undefined,
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

/** Stands for one of however many there are. */
export const which = fc.nat(999);

export function pick<T>(list: readonly T[], which: number): T | undefined {
  return list[which % list.length];
}

/** One workspace has most of the life, so that something happens in it; the others show that it stays there. */
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

/** A member in the dashboard, also one who was just removed, or the operator at the command line. */
export function actorOf(account: ModelAccount, which: number): Actor {
  const member = pick([...account.members, undefined, ...account.formerMembers.slice(-1)], which);
  return member ? actingAs(account, member) : OPERATOR;
}

/** A member, now and then one who was removed while their browser was still open. */
export function memberActing(account: ModelAccount, which: number): ActingMember | undefined {
  const everybody = [...account.members, ...account.members, ...account.members, ...account.formerMembers.slice(-1)];
  const member = pick(everybody, which);
  return member && actingAs(account, member);
}

export function actingAs(account: ModelAccount, member: ModelMember): ActingMember {
  const { id: memberId, email: name, role } = member;
  return { accountId: account.id, memberId, name, role, address: ORIGIN.address };
}

/** Mostly something sensible, and now and then something that must be refused. */
export function mostly<T>(sensible: fc.Arbitrary<T>, wrong: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ weight: 25, arbitrary: sensible }, { weight: 1, arbitrary: wrong });
}
