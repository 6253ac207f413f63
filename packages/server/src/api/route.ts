import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Static, type TObject, type TSchema, Type } from 'typebox';
import type { Principal } from '../domain/access-token.ts';
import { type AuthenticateDeps, authenticate } from '../domain/authenticate.ts';
import { FailureEnvelope, JSON_TYPE, success } from '../http/envelope.ts';
import { queryStringOf } from '../http/query.ts';

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

/** What a handler answers: data to be put in the envelope, a body that is ready, or that nothing has changed. */
export type ApiAnswer<Data> = { headers?: Record<string, string> } & (
  | { data: Data }
  | { body: Buffer }
  | { notModified: true }
);

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
  /** `serialise` writes data in the envelope, by the schema and so only declared fields. */
  handle(request: ApiRequest, serialise: (data: Static<Data>) => Buffer): Promise<ApiAnswer<Static<Data>>>;
}

/** Numbers start at 1, so a route that needs no token and asks for rows all the same finds none. */
const NO_WORKSPACE = 0;

/** Loses the type of one route's data, once it has been checked against its handler. */
export function defineRoute<Data extends TSchema>(route: Route<Data>): Route {
  return route as unknown as Route;
}

export function addRoute(app: FastifyInstance, deps: AuthenticateDeps, route: Route): void {
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const header = (name: string) => headerValues(request.raw.rawHeaders, name);
    if (route.auth === 'bearer') {
      request.principal = await authenticate(deps, header('authorization'));
    }
    const identify = (principal: Principal) => {
      request.principal = principal;
    };
    const workspaceId = request.principal?.workspaceId ?? NO_WORKSPACE;
    const queryString = queryStringOf(request.raw.url ?? '');
    const serialise = (data: unknown) => Buffer.from(reply.serialize(success(data)) as string);
    const answer = await route.handle({ queryString, header, identify, workspaceId }, serialise);
    if (answer.headers) reply.headers(answer.headers);
    if ('notModified' in answer) return reply.code(304).send();
    return reply.type(JSON_TYPE).send('body' in answer ? answer.body : serialise(answer.data));
  };
  for (const method of route.methods) {
    app.route({ method, url: route.path, handler, schema: documentation(route, method) });
  }
}

function documentation(route: Route, method: string) {
  return {
    operationId: method === 'GET' ? route.operationId : `${route.operationId}By${method}`,
    summary: route.summary,
    description: route.description,
    security: [route.auth === 'bearer' ? { accessToken: [] } : { apiKey: [] }],
    ...(route.query && { querystring: route.query }),
    response: { 200: envelopeOf(route), ...Object.fromEntries(Object.entries(route.others).map(otherAnswer)) },
  };
}

function envelopeOf({ data, headers = {} }: Route) {
  return {
    ...Type.Object({ status_code: Type.Integer(), message: Type.String(), data }, { additionalProperties: false }),
    description: 'Success',
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, description]) => [name, { type: 'string', description }]),
    ),
  };
}

function otherAnswer([status, description]: [string, string]) {
  return [status, status === '304' ? { description, type: 'null' } : { ...FailureEnvelope, description }];
}

/** Read off the raw list: Node's own view drops or joins what was sent twice. */
function headerValues(rawHeaders: readonly string[], name: string): string[] {
  const values: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index] ?? '';
    if (sent.length === name.length && sent.toLowerCase() === name) values.push(rawHeaders[index + 1] ?? '');
  }
  return values;
}
