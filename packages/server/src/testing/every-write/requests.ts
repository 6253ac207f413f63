import type { Actor } from '../../domain/change.ts';
import type { ClientStatus, ClientType } from '../../domain/clients/client.ts';
import type { Column } from '../../domain/clients/client-columns.ts';
import type { ClientPatch, ExpectedClient } from '../../domain/clients/manage-clients.ts';
import type { RequestStatus } from '../../domain/clients/request-status.ts';
import type { KeyFields } from '../../domain/credentials/key-changes.ts';
import type { Scope } from '../../domain/credentials/scope.ts';
import type { Environment } from '../../domain/environment.ts';
import type { FailureCode } from '../../domain/failure.ts';
import type { AccountSettings } from '../../domain/members/account.ts';
import type { ActingMember, Role } from '../../domain/members/member.ts';

// Every kind of write, with all its parameters. A process of the product performs a request, and the model computes the
// expected outcome.

export type Cells = Partial<Record<Column, string>>;

type OfWorkspace<What> = What & { workspaceId: number; actor: Actor };
type ByMember<What> = What & { actor: ActingMember };

/** The fields of a client to add. */
interface Added {
  email: string;
  name: string;
  type: ClientType;
  groupName: string;
  requestStatus: RequestStatus | undefined;
  externalId: string | undefined;
}

type ClientRequest = OfWorkspace<
  | ({ kind: 'add client' } & Added)
  | { kind: 'add clients at once'; clients: Added[] }
  | {
      kind: 'correct client';
      referenceId: string;
      correction: { email?: string; name?: string; type?: ClientType; externalId?: string };
    }
  | { kind: 'move client'; referenceId: string; groupName: string }
  | { kind: 'set request status'; referenceId: string; requestStatus: RequestStatus; reason: string | undefined }
  | { kind: 'set client status'; referenceId: string; status: ClientStatus }
  | {
      kind: 'change if unchanged';
      referenceId: string;
      expected: ExpectedClient;
      patch: ClientPatch;
      reason: string | undefined;
    }
  | {
      kind: 'change many clients';
      referenceIds: string[];
      requestStatus: RequestStatus | undefined;
      groupName: string | undefined;
      status: ClientStatus | undefined;
      reason: string | undefined;
    }
  | { kind: 'undo many clients'; referenceIds: string[]; version: number }
  | {
      kind: 'change all that match';
      from: RequestStatus | undefined;
      requestStatus: RequestStatus | undefined;
      groupName: string | undefined;
      status: ClientStatus | undefined;
      reason: string | undefined;
      clientsAtOnce: number;
    }
  | { kind: 'assign clients'; clients: { referenceId: string; expected: number | null }[]; memberId: number | null }
  | { kind: 'erase client'; referenceId: string }
  | { kind: 'import clients'; rows: Cells[]; rowsAtOnce: number; origin: { id: string; name: string }; dryRun: boolean }
  | { kind: 'add sample'; clients: number; groups: number; seed: number; rowsAtOnce: number }
  | { kind: 'create group'; name: string }
  | { kind: 'rename group'; tokenOrName: string; name: string }
  | { kind: 'merge groups'; from: string; into: string; clientsAtOnce: number }
  | { kind: 'delete group'; tokenOrName: string }
>;

type KeyRequest =
  | OfWorkspace<
      | {
          kind: 'create key';
          environment: Environment;
          name: string;
          scopes: Scope[];
          note: string;
          allowedNetworks: string[];
          rateLimit: string | null;
          expiresAt: number | null;
          createdBy: string | undefined;
        }
      | { kind: 'update key'; keyId: string; change: Partial<KeyFields> }
      | { kind: 'roll key'; keyId: string; overlapSeconds: number }
      | { kind: 'end old secret'; keyId: string; number: number | undefined }
      | { kind: 'revoke key'; keyId: string }
      | { kind: 'count calls'; calls: { keyId: string; calls: number; address: string }[] }
    >
  | { kind: 'revoke any key'; actor: Actor; keyId: string };

type MemberRequest =
  | ByMember<
      | { kind: 'invite member'; email: string; role: Role }
      | { kind: 'withdraw invitation'; invitationId: string }
      | { kind: 'renew invitation'; invitationId: string }
      | { kind: 'end session of member'; memberId: number; sessionId: string }
      | { kind: 'change role'; memberId: number; role: Role }
      | { kind: 'remove member'; memberId: number; revokeKeys: boolean }
      | { kind: 'record export'; environment: Environment }
    >
  | { kind: 'update account'; actor: Actor; accountId: number; settings: Partial<AccountSettings> }
  | { kind: 'accept invitation'; token: string; password: string }
  | { kind: 'create reset link'; email: string; accountId: number | undefined; endSessions: boolean }
  | { kind: 'reset password'; token: string; password: string };

type SignInRequest =
  | ByMember<
      | { kind: 'sign out'; sessionId: string }
      | { kind: 'revoke session'; sessionId: string }
      | { kind: 'reauthenticate'; sessionId: string; token: string; password?: string; code?: Code }
      | { kind: 'change password'; sessionId: string; password: string; newPassword: string }
      | { kind: 'offer second factor' }
      | { kind: 'confirm second factor'; sessionId: string; code: Code }
      | { kind: 'remove second factor'; password: string; code: Code }
      | { kind: 'renew recovery codes' }
    >
  | { kind: 'sign in'; email: string; accountId: number | undefined; password: string; code: Code | undefined }
  | { kind: 'use session'; token: string };

/**
 * The code that an authenticator app with this secret shows at the time of the request, a recovery code, or a code that is
 * always wrong.
 */
export type Code = { secret: string } | { recovery: string } | 'none';

type InstallationRequest =
  | { kind: 'create set-up link' }
  | { kind: 'set up'; token: string; name: string; email: string; password: string }
  | { kind: 'create account'; name: string; email: string; password: string }
  | { kind: 'rotate signing key' }
  | { kind: 'retire signing key'; kid: string }
  | { kind: 'rebuild indexes' }
  | { kind: 'cut activity'; days: number }
  | { kind: 'renew epoch' }
  | { kind: 'remove expired' };

/** One write. `at` is the time of the process that performs it. */
export type Request = { at: number } & (
  | ClientRequest
  | KeyRequest
  | MemberRequest
  | SignInRequest
  | InstallationRequest
);
export type RequestKind = Request['kind'];
export type RequestTo<D extends RequestKind> = Extract<Request, { kind: D }>;

/** The outcome of a request: the predictable part of the answer, or the code of the refusal. */
export type Outcome = { done: unknown } | { refused: FailureCode };

/** Secrets that the product has generated and shows only to the caller. */
export interface CallerSecrets {
  token?: string | undefined;
  secret?: string | undefined;
  recoveryCodes?: string[] | undefined;
}

/** The address and the browser of all members. */
export const ORIGIN = { address: '198.51.100.7', agent: 'a browser' };
