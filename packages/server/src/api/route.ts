import type { Static, TObject, TSchema } from 'typebox';
import type { Principal } from '../domain/credentials/index.ts';
import type { Answer, HeaderList } from '../http/answer.ts';

/** What a route's handler gets to see of a request. */
export interface ApiRequest {
  /** As it was sent, for `parseQuery`. */
  queryString: string;
  workspaceId: number;
  /** All values of a header, in the order they were sent. */
  header(name: string): string[];
  /** Names the caller for the log, where no access token does. */
  identify(principal: Principal): void;
}

/** Puts data in the envelope. */
export type Succeed<Data> = (data: Data, headers?: HeaderList) => Answer;

/** An endpoint of the public contract: a schema and one call. */
export interface Route<Data extends TSchema = TSchema> {
  methods: ('GET' | 'POST')[];
  path: string;
  operationId: string;
  summary: string;
  description: string;
  /** `bearer` routes know their workspace before the handler runs. */
  auth: 'api-key' | 'bearer';
  query?: TObject;
  data: Data;
  /** The headers of a success, with what they say. */
  headers?: Record<string, string>;
  /** The answers it promises beside success and those that every address has. */
  others: Record<number, string>;
  handle(request: ApiRequest, succeed: Succeed<Static<Data>>): Promise<Answer>;
}

/** Loses the type of one route's data, once it has been checked against its handler. */
export function defineRoute<Data extends TSchema>(route: Route<Data>): Route {
  return route as unknown as Route;
}
