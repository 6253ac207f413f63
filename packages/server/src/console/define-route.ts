import { type Static, type TObject, type TSchema, Type } from 'typebox';
import { pickFields } from '../domain/check-schema.ts';
import type { Environment } from '../domain/environment.ts';
import type { ActingMember, Member, Origin, Role, SignedInSession } from '../domain/members/index.ts';
import { type Answer, successAnswer } from '../http/answer.ts';
import type { RequestContext } from '../http/request-context.ts';
import type { Route } from '../http/route.ts';
import { type FileContent, fileAnswer } from './file-answer.ts';
import type { FileTimeouts } from './file-stream.ts';

export interface MemberAccess {
  /** Whether the route is about the member's account or about one workspace of it. */
  scope: 'account' | 'workspace';
  /** The least role that may call the route. */
  role: Role;
  /** If the member must have proved recently that it is them: what for, as in "Enter your password again to export clients." */
  proofTo: string | undefined;
  /** Whether the answer is a file, which our own pages load into a hidden frame. Viewers may not take one unless an owner allows it. */
  file: boolean;
  /** Whether members may call the route before they have added the second factor that their account requires. */
  withoutSecondFactor: boolean;
}

export type ConsoleAccess = 'anyone' | MemberAccess;

export type ConsoleRoute = Route<ConsoleAccess>;

/** What `authorise` adds to the context of every request. */
export interface VisitorFields {
  origin: Origin;
  /** The session of this browser, if somebody is signed in. */
  findSession(): Promise<SignedInSession | undefined>;
  /** Gives this browser the token of its session, and remembers that this member has signed in with it. */
  signIn(token: string, member: Pick<Member, 'accountId' | 'email'>): Promise<void>;
  /** Replaces the token of the session, or removes it. */
  setSession(token: string | undefined): void;
}

export interface MemberFields extends VisitorFields {
  session: SignedInSession;
  actor: ActingMember;
}

export interface WorkspaceFields extends MemberFields {
  environment: Environment;
  workspaceId: number;
}

type Context<Fields, Query extends TObject, Body extends TObject> = Omit<RequestContext, 'query' | 'body'> &
  Fields & { query: Static<Query>; body: Static<Body> };

interface Definition<Fields, Query extends TObject, Body extends TObject, Data extends TSchema>
  extends Pick<Route, 'methods' | 'path' | 'streamedBody'> {
  query?: Query;
  body?: Body;
  data: Data;
  handle(context: Context<Fields, Query, Body>): Promise<Static<Data>>;
}

interface MemberOptions {
  role: Role;
  proofTo?: string;
  withoutSecondFactor?: boolean;
}

const NO_PARAMETERS = Type.Object({});

/** A route that anybody may call, such as signing in. */
export function openRoute<Query extends TObject, Body extends TObject, Data extends TSchema>(
  definition: Definition<VisitorFields, Query, Body, Data>,
): ConsoleRoute {
  return toRoute(definition, 'anyone');
}

interface PageDefinition extends Pick<Route, 'path'> {
  handle(context: Omit<RequestContext, 'query' | 'body'> & VisitorFields): Promise<Answer>;
}

/** A route that a browser opens like a page, and that leads to another one. Its query string is read by itself. */
export function pageRoute({ path, handle }: PageDefinition): ConsoleRoute {
  return {
    methods: ['GET'],
    path,
    access: 'anyone',
    data: Type.Any(),
    handle: (context) => handle(context as unknown as RequestContext & VisitorFields),
  };
}

/** A route about the account of the member who is signed in. */
export function accountRoute<Query extends TObject, Body extends TObject, Data extends TSchema>(
  definition: Definition<MemberFields, Query, Body, Data> & MemberOptions,
): ConsoleRoute {
  return toRoute(definition, { scope: 'account', ...optionsOf(definition), file: false });
}

/** A route about one workspace of that account. Its path begins with `/console/:environment/`. */
export function workspaceRoute<Query extends TObject, Body extends TObject, Data extends TSchema>(
  definition: Definition<WorkspaceFields, Query, Body, Data> & MemberOptions,
): ConsoleRoute {
  return toRoute(definition, { scope: 'workspace', ...optionsOf(definition), file: false });
}

function optionsOf({ role, proofTo, withoutSecondFactor = false }: MemberOptions) {
  return { role, proofTo, withoutSecondFactor };
}

interface FileDefinition<Fields, Body extends TObject> extends Pick<Route, 'path'>, MemberOptions {
  body: Body;
  timeouts: FileTimeouts;
  handle(context: Context<Fields, TObject, Body>): Promise<FileContent>;
}

/** A route that answers with a file of one workspace. Always a form sent with POST: a link on another site must not start it. */
export function fileRoute<Body extends TObject>(definition: FileDefinition<WorkspaceFields, Body>): ConsoleRoute {
  return toFileRoute(definition, 'workspace');
}

/** The same for a file of the whole account. */
export function accountFileRoute<Body extends TObject>(definition: FileDefinition<MemberFields, Body>): ConsoleRoute {
  return toFileRoute(definition, 'account');
}

function toFileRoute<Fields, Body extends TObject>(
  definition: FileDefinition<Fields, Body>,
  scope: MemberAccess['scope'],
): ConsoleRoute {
  const { path, body, timeouts } = definition;
  return {
    methods: ['POST'],
    path,
    access: { scope, ...optionsOf(definition), file: true },
    query: NO_PARAMETERS,
    body,
    bodyType: 'form',
    data: Type.Any(),
    handle: async (context) => {
      const file = await definition.handle(context as unknown as Context<Fields, TObject, Body>);
      return fileAnswer(file, timeouts);
    },
  };
}

function toRoute<Fields, Query extends TObject, Body extends TObject, Data extends TSchema>(
  definition: Definition<Fields, Query, Body, Data>,
  access: ConsoleAccess,
): ConsoleRoute {
  const { methods, path, query, body, streamedBody, data } = definition;
  return {
    methods,
    path,
    access,
    query: query ?? NO_PARAMETERS,
    ...(body && { body }),
    ...(streamedBody && { streamedBody }),
    data,
    handle: async (context) => {
      const answer = await definition.handle(context as unknown as Context<Fields, Query, Body>);
      return successAnswer(pickFields(data, answer));
    },
  };
}
