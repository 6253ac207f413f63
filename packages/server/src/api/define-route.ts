import type { Static, TObject, TSchema } from 'typebox';
import type { Scope } from '../domain/credentials/index.ts';
import { type Answer, successAnswer } from '../http/answer.ts';
import type { HeaderList } from '../http/header-list.ts';
import type { RequestContext } from '../http/request-context.ts';
import type { Route } from '../http/route.ts';

/** An API key is exchanged by its route; an access token, and the scope that it needs, are checked before its route runs. */
export type ApiAccess = 'anyone' | 'api-key' | { scope: Scope };

export interface ApiContext<Query = unknown> extends Omit<RequestContext, 'query'> {
  query: Query;
  /** The workspace that the access token was issued for. */
  workspaceId: number;
}

/** Puts data in the envelope. */
export type Succeed<Data> = (data: Data, headers?: HeaderList) => Answer;

interface Documentation {
  operationId: string;
  summary: string;
  description: string;
  /** The headers of a success, each with its description. */
  headers?: Record<string, string>;
  /** The media type of an answer that is not in the envelope. */
  mediaType?: string;
  /** The answers that are promised besides success, by status, except those that every address has. */
  others: Record<number, string>;
}

/** A route of the public API, with what the OpenAPI document says about it. */
export interface ApiRoute extends Route<ApiAccess>, Documentation {}

type Definition<Query extends TObject, Data extends TSchema> = Omit<ApiRoute, 'query' | 'data' | 'handle'> & {
  query?: Query;
  data: Data;
  handle(context: ApiContext<Static<Query>>, succeed: Succeed<Static<Data>>): Promise<Answer>;
};

/** Checks a handler against the schemas of its route. */
export function defineApiRoute<Query extends TObject, Data extends TSchema>(
  definition: Definition<Query, Data>,
): ApiRoute {
  return {
    ...definition,
    handle: (context) => definition.handle(context as unknown as ApiContext<Static<Query>>, successAnswer),
  };
}
