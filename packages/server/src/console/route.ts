import { type Static, type TObject, type TSchema, Type } from 'typebox';
import type { Environment } from '../domain/environment.ts';
import type { ActingMember, Origin, Role, SignedInSession } from '../domain/members/index.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What every handler gets to see of a request. */
export interface Visit<Query, Body> {
  query: Query;
  body: Body;
  param(name: string): string;
  origin: Origin;
  /** Aborted, with a failure as its reason, when the caller leaves before the answer is complete. */
  left: AbortSignal;
  /** Signs this browser in (with a token) or out (without). */
  setSession(token: string | undefined): void;
}

export interface MemberVisit<Query, Body> extends Visit<Query, Body> {
  session: SignedInSession;
  actor: ActingMember;
}

export interface WorkspaceVisit<Query, Body> extends MemberVisit<Query, Body> {
  environment: Environment;
  workspaceId: number;
}

interface Shape<Query extends TObject, Body extends TObject, Data extends TSchema> {
  method: Method;
  path: string;
  query?: Query;
  body?: Body;
  data: Data;
}

interface MemberShape<Query extends TObject, Body extends TObject, Data extends TSchema>
  extends Shape<Query, Body, Data> {
  /** The least role that may do this. */
  role: Role;
  /** Asks for the password again when it was typed long ago. */
  proof?: true;
}

type Handle<V, Data extends TSchema> = (visit: V) => Promise<Static<Data>>;

/** What a route answers that gives a file to keep instead of an envelope. */
export interface FileAnswer {
  name: string;
  type: string;
  content: AsyncIterable<string>;
  /** Called however the answer ends, also when nothing of the content was read. */
  close(): Promise<void>;
}

/** A thing that an account holder does: a schema and one call. */
export interface Route extends Shape<TObject, TObject, TSchema> {
  scope: 'anyone' | 'account' | 'workspace';
  /** Its body is a form as a browser sends it by itself. */
  file?: true;
  role?: Role;
  proof?: true;
  handle: Handle<WorkspaceVisit<unknown, unknown>, TSchema>;
}

/** Open to everybody: the ways in. */
export function openRoute<Query extends TObject, Body extends TObject, Data extends TSchema>(
  route: Shape<Query, Body, Data> & { handle: Handle<Visit<Static<Query>, Static<Body>>, Data> },
): Route {
  return { ...route, scope: 'anyone' } as unknown as Route;
}

/** About the account of whoever is signed in. */
export function accountRoute<Query extends TObject, Body extends TObject, Data extends TSchema>(
  route: MemberShape<Query, Body, Data> & { handle: Handle<MemberVisit<Static<Query>, Static<Body>>, Data> },
): Route {
  return { ...route, scope: 'account' } as unknown as Route;
}

/** About one environment of that account; its path begins with `/console/:environment/`. */
export function workspaceRoute<Query extends TObject, Body extends TObject, Data extends TSchema>(
  route: MemberShape<Query, Body, Data> & { handle: Handle<WorkspaceVisit<Static<Query>, Static<Body>>, Data> },
): Route {
  return { ...route, scope: 'workspace' } as unknown as Route;
}

/** The same, but what it gives is a file. Never by GET: a link on another site must not set it off. */
export function workspaceFile<Body extends TObject>(
  route: Omit<MemberShape<TObject, Body, TSchema>, 'method' | 'data' | 'query'> & {
    handle(visit: WorkspaceVisit<unknown, Static<Body>>): Promise<FileAnswer>;
  },
): Route {
  return { ...route, method: 'POST', data: Type.Any(), scope: 'workspace', file: true } as unknown as Route;
}
