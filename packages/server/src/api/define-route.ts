import { type Static, type TObject, type TSchema, Type } from 'typebox';
import type { ActingKey, Scope } from '../domain/credentials/index.ts';
import { type Answer, type StreamAnswer, successAnswer } from '../http/answer.ts';
import type { HeaderList } from '../http/header-list.ts';
import type { RequestContext } from '../http/request-context.ts';
import type { Route } from '../http/route.ts';

/** An API key is exchanged by its route; an access token, and the scope that it needs, are checked before its route runs. */
export type ApiAccess = 'anyone' | 'api-key' | { scope: Scope };

export interface ApiContext<Query = unknown, Body = unknown> extends Omit<RequestContext, 'query' | 'body'> {
  query: Query;
  body: Body;
  /** The workspace that the access token was issued for. */
  workspaceId: number;
  /** The API key that the access token was made from, for what it changes. */
  actor: ActingKey;
}

/** Puts data in the envelope. */
export type Succeed<Data> = (data: Data, headers?: HeaderList, status?: number) => Answer;

interface Documentation {
  operationId: string;
  summary: string;
  description: string;
  /** The status of a success, if it is not 200. */
  status?: number;
  /** Another status that a success may have. */
  otherStatus?: { status: number; description: string };
  /** The parts of the path that vary, each with an example. */
  pathParameters?: Record<string, TSchema>;
  /** The request headers that have a meaning here, each with its description. */
  requestHeaders?: Record<string, string>;
  /** The headers of a success, each with its description. */
  headers?: Record<string, string>;
  /** The media type of an answer that is not in the envelope. */
  mediaType?: string;
  /** The answers that are promised besides success, by status, except those that every address has. */
  others: Record<number, string>;
}

/** A route of the public API, with what the OpenAPI document says about it. */
export interface ApiRoute extends Route<ApiAccess>, Documentation {}

type Definition<Query extends TObject, Body extends TObject, Data extends TSchema> = Omit<
  ApiRoute,
  'query' | 'body' | 'data' | 'handle'
> & {
  query?: Query;
  body?: Body;
  data: Data;
  handle(
    context: ApiContext<Static<Query>, Static<Body>>,
    succeed: Succeed<Static<Data>>,
  ): Promise<Answer | StreamAnswer>;
};

/** For a route that takes none: a misspelt one is refused instead of being ignored. */
export const NO_PARAMETERS = Type.Object({}, { additionalProperties: false });

/** Checks a handler against the schemas of its route. */
export function defineApiRoute<Query extends TObject, Body extends TObject, Data extends TSchema>(
  definition: Definition<Query, Body, Data>,
): ApiRoute {
  return {
    ...definition,
    handle: (context) =>
      definition.handle(context as unknown as ApiContext<Static<Query>, Static<Body>>, successAnswer),
  };
}
