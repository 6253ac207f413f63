import { OPERATOR } from '../../../domain/change.ts';
import { ENVIRONMENTS } from '../../../domain/environment.ts';
import { fold } from '../../../domain/text.ts';
import { ORIGIN, type RequestTo } from '../requests.ts';
import { firstUsageHour } from './keys.ts';
import { newMember } from './members.ts';
import { record, recordChange } from './record.ts';
import { refuseIf } from './refusal.ts';
import { isAlive, PASSWORD_MIN } from './sign-in.ts';
import type { ModelAccount, ModelMember, ModelWorkspace, State } from './state.ts';
import { isEmail, isName } from './text-rules.ts';

const ACCOUNT_NAME_MAX = 120;
const SIGNS_AFTER_MS = 10_000;
const DAY_MS = 86_400_000;

/** Only an installation without accounts can be set up. */
export function createSetUpLink(state: State) {
  return state.accounts.length === 0 ? 'a link' : 'nothing';
}

export function setUp(state: State, request: RequestTo<'set up'>) {
  refuseIf(request.token !== state.setUpToken, 'not_found');
  requireValid(request);
  const account = newAccount(state, request);
  state.setUpToken = '';
  record(
    account,
    { at: request.at, actor: { name: request.email, address: ORIGIN.address } },
    'member.set-up',
    request.email,
  );
  return null;
}

export function createAccount(state: State, request: RequestTo<'create account'>) {
  requireValid(request);
  const isOwner = ({ role, email }: ModelMember) => role === 'owner' && fold(email) === fold(request.email);
  refuseIf(
    state.accounts.some(({ name, members }) => name === request.name && members.some(isOwner)),
    'conflict',
  );
  const account = newAccount(state, request);
  record(account, { at: request.at, actor: OPERATOR }, 'member.set-up', request.email);
  return { name: account.name };
}

function requireValid({ name, email, password }: RequestTo<'set up' | 'create account'>): void {
  refuseIf(!isName(name, ACCOUNT_NAME_MAX) || !isEmail(email) || password.length < PASSWORD_MIN, 'bad_parameter');
}

function newAccount(state: State, request: RequestTo<'set up' | 'create account'>): ModelAccount {
  const { name, email, password, at } = request;
  const empty = (environment: ModelWorkspace['environment']): ModelWorkspace => ({
    id: 0,
    environment,
    version: 0,
    groups: [],
    clients: [],
    erased: [],
    statusChanges: [],
    keys: [],
  });
  const account: ModelAccount = {
    id: 0,
    name,
    createdAt: at,
    settings: { requiresDeclineReason: false, requiresSecondFactor: false, viewersMayExport: false },
    workspaces: ENVIRONMENTS.map(empty),
    members: [newMember(email, 'owner', password, at)],
    formerMembers: [],
    invitations: [],
    resets: [],
    activity: [],
  };
  state.accounts.push(account);
  return account;
}

/** The next key begins to sign, and there is always a next key. */
export function rotateSigningKey(state: State, { at }: RequestTo<'rotate signing key'>) {
  const signsFrom = at + SIGNS_AFTER_MS;
  const next = state.signingKeys.find((key) => key.signsFrom === null);
  if (next) next.signsFrom = signsFrom;
  else state.signingKeys.push({ kid: '', createdAt: at, signsFrom });
  state.signingKeys.push({ kid: '', createdAt: at, signsFrom: null });
  // Of two rotations at once, the second may have the earlier time.
  state.signingKeys.sort((a, b) => (a.signsFrom ?? Infinity) - (b.signsFrom ?? Infinity));
  return { signsFrom };
}

/** Any key except the one that signs: the newest whose time has come. The next key is replaced by another one. */
export function retireSigningKey(state: State, { kid, at }: RequestTo<'retire signing key'>) {
  const withTime = state.signingKeys.filter((key) => key.signsFrom !== null);
  const signing = withTime.findLast((key) => (key.signsFrom ?? 0) <= at) ?? withTime[0];
  const retired = state.signingKeys.find((key) => key.kid === kid);
  refuseIf(!retired, 'not_found');
  refuseIf(signing === retired, 'conflict');
  state.signingKeys = state.signingKeys.filter((key) => key !== retired);
  if (retired?.signsFrom === null) state.signingKeys.push({ kid: '', createdAt: at, signsFrom: null });
  return null;
}

/** Rebuilds the index of every workspace, which is recorded and otherwise changes nothing. */
export function rebuildIndexes(state: State, { at }: RequestTo<'rebuild indexes'>) {
  for (const account of state.accounts) {
    for (const workspace of account.workspaces) {
      recordChange({ account, workspace }, { at, actor: OPERATOR }, 'workspace.index-rebuilt', '');
    }
  }
  return null;
}

/** Only whole days are removed. The time never goes back, so no later entry is older. */
export function cutActivity(state: State, { at, days }: RequestTo<'cut activity'>) {
  const before = (Math.floor(at / DAY_MS) - days) * DAY_MS;
  for (const account of state.accounts) account.activity = account.activity.filter((entry) => entry.at >= before);
  return { problems: [] };
}

/** No stamp of an earlier epoch may be used again. */
export function renewEpoch(state: State) {
  state.formerEpochs.push(state.epoch);
  state.epoch = '';
  return null;
}

/** Deletes what has expired and cannot be used any more. */
export function removeExpired(state: State, { at }: RequestTo<'remove expired'>) {
  for (const account of state.accounts) {
    account.invitations = account.invitations.filter((invitation) => invitation.expiresAt > at);
    account.resets = account.resets.filter((reset) => reset.expiresAt > at);
    for (const member of account.members) member.sessions = member.sessions.filter((session) => isAlive(session, at));
    for (const { keys } of account.workspaces) {
      for (const key of keys) key.calls = key.calls.filter(({ hour }) => hour >= firstUsageHour(at));
    }
  }
  return null;
}
