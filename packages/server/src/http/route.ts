import type { TObject, TSchema } from 'typebox';
import type { Answer, StreamAnswer } from './answer.ts';
import type { BodyType } from './read-body.ts';
import type { RequestContext } from './request-context.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One address of a listener and what it does. All listeners describe their routes in this form; `pipeline.ts` runs them. */
export interface Route<Access = unknown> {
  /** GET includes HEAD. */
  methods: readonly Method[];
  /** Parts that vary are written as `:name`. */
  path: string;
  /** Who may call it, in the terms of its listener, whose `authorise` checks it. */
  access: Access;
  /** The parameters of the query string. Without a schema, the query string is ignored. */
  query?: TObject;
  /** Set when the handler first looks for a cached answer by the query string as it was sent, and reads `query` only if there is none. */
  parsesOwnQuery?: true;
  body?: TObject;
  /** If set, the body is not read before the handler, which reads it as it arrives: its largest size, its types and its codings. */
  streamedBody?: { maxBytes: number; types: readonly string[]; codings: readonly string[] };
  /** How the body is sent: as JSON, unless it is a form that a browser sends without a script. */
  bodyType?: 'json' | 'form';
  data: TSchema;
  handle(context: RequestContext): Promise<Answer | StreamAnswer>;
}

/** What distinguishes one listener from another in the pipeline that all listeners share. */
export interface Listener<Access> {
  routes: readonly Route<Access>[];
  /** The types of the bodies that are read. Bodies of requests to routes that take none are ignored if `ignoresBodies` is set. */
  bodyTypes: readonly BodyType[];
  ignoresBodies: boolean;
  /** The message of the answer to an address that does not exist. */
  unknownAddress?: string;
  /** Throws when the request must not be made from where it was made. Called before the body is read. */
  checkOrigin?(context: RequestContext): void;
  /** Throws unless the caller may use the route. What it returns is added to the context that the handler receives. */
  authorise(context: RequestContext, route: Route<Access>): Promise<object>;
}
