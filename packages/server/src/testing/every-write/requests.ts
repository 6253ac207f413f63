import type { Actor } from '../../domain/change.ts';
import type { SeenClient } from '../../domain/clients/change-clients.ts';
import type { ClientStatus, ClientType } from '../../domain/clients/client.ts';
import type { Column } from '../../domain/clients/client-columns.ts';
import type { ClientPatch } from '../../domain/clients/manage-clients.ts';
import type { RequestStatus } from '../../domain/clients/request-status.ts';
import type { Environment } from '../../domain/environment.ts';
import type { FailureCode } from '../../domain/failure.ts';
import type { ActingMember, Role } from '../../domain/members/member.ts';

// Every write there is, with everything that has to be known to do it. The model says what should become of a request,
// a process of the product does it.

export type Cells = Partial<Record<Column, string>>;

type OfWorkspace<What> = What & { workspaceId: number; actor: Actor };
type ByMember<What> = What & { actor: ActingMember };

type ClientRequest = OfWorkspace<
  | {
      do: 'add client';
      email: string;
      name: string;
      type: ClientType;
      groupName: string;
      requestStatus: RequestStatus | undefined;
    }
  | { do: 'correct client'; referenceId: string; correction: { email?: string; name?: string; type?: ClientType } }
  | { do: 'move client'; referenceId: string; groupName: string }
  | { do: 'set request status'; referenceId: string; requestStatus: RequestStatus }
  | { do: 'set client status'; referenceId: string; status: ClientStatus }
  | { do: 'change seen client'; referenceId: string; seen: SeenClient; patch: ClientPatch }
  | {
      do: 'change many clients';
      referenceIds: string[];
      requestStatus: RequestStatus | undefined;
      groupName: string | undefined;
    }
  | { do: 'erase client'; referenceId: string }
  | { do: 'import clients'; rows: Cells[]; rowsAtOnce: number; origin: { id: string; name: string }; dryRun: boolean }
  | { do: 'add sample'; clients: number; groups: number; seed: number; rowsAtOnce: number }
  | { do: 'create group'; name: string }
  | { do: 'rename group'; tokenOrName: string; name: string }
>;

type KeyRequest =
  | OfWorkspace<
      | {
          do: 'create key';
          environment: Environment;
          name: string;
          expiresAt: number | null;
          createdBy: string | undefined;
        }
      | { do: 'revoke key'; keyId: string }
      | { do: 'count calls'; calls: { keyId: string; calls: number }[] }
    >
  | { do: 'revoke any key'; actor: Actor; keyId: string };

type MemberRequest =
  | ByMember<
      | { do: 'invite member'; email: string; role: Role }
      | { do: 'withdraw invitation'; invitationId: string }
      | { do: 'change role'; memberId: number; role: Role }
      | { do: 'remove member'; memberId: number; revokeKeys: boolean }
      | { do: 'note an export'; environment: Environment }
    >
  | { do: 'accept invitation'; token: string; password: string }
  | { do: 'offer reset'; email: string; endSessions: boolean }
  | { do: 'use reset'; token: string; password: string };

type SignInRequest =
  | ByMember<
      | { do: 'sign out'; sessionId: string }
      | { do: 'revoke session'; sessionId: string }
      | { do: 'prove again'; sessionId: string; password: string }
      | { do: 'change password'; sessionId: string; password: string; newPassword: string }
      | { do: 'offer second factor' }
      | { do: 'confirm second factor'; code: Code }
      | { do: 'remove second factor'; password: string }
    >
  | { do: 'sign in'; email: string; password: string; code: Code | undefined }
  | { do: 'visit'; token: string };

/** The code that an authenticator app with this secret shows at the time of the request; none is never right. */
export type Code = { secret: string } | 'none';

type InstallationRequest =
  | { do: 'offer set-up' }
  | { do: 'set up'; token: string; name: string; email: string; password: string }
  | { do: 'create account'; name: string; email: string; password: string }
  | { do: 'rotate signing key' }
  | { do: 'retire signing key'; kid: string }
  | { do: 'repair' }
  | { do: 'renew epoch' }
  | { do: 'sweep' };

/** One write. Its time is the clock of the process that does it. */
export type Request = { at: number } & (
  | ClientRequest
  | KeyRequest
  | MemberRequest
  | SignInRequest
  | InstallationRequest
);
export type Deed = Request['do'];
export type RequestTo<D extends Deed> = Extract<Request, { do: D }>;

/** What became of a request: what the caller is told, as far as it can be foretold, or why it was refused. */
export type Outcome = { done: unknown } | { refused: FailureCode };

/** What the product has made up along the way and tells nobody but the caller. */
export interface Made {
  token?: string | undefined;
  secret?: string | undefined;
}

/** Where people sit who use the dashboard, and with what. */
export const ORIGIN = { address: '198.51.100.7', agent: 'a browser' };
