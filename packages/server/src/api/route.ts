import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Static, type TObject, type TSchema, Type } from 'typebox';
import type { Principal } from '../domain/access-token.ts';
import { type AuthenticateDeps, authenticate } from '../domain/authenticate.ts';
import type { Environment } from '../domain/environment.ts';
import { FailureEnvelope, success } from '../http/envelope.ts';
import { parseQuery } from './query.ts';

/** What a route's handler gets to see of a request. */
export interface ApiRequest<Query> {
  query: Query;
  workspaceId: number;
  /** All values of a header, in the order they were sent. */
  header(name: string): string[];
  /** Names the caller for the log, where no access token does. */
  identify(principal: Principal): void;
}

/** An endpoint of the public contract: a schema and one call. */
export interface Route<Query extends TObject = TObject, Data extends TSchema = TSchema> {
  methods: ('GET' | 'POST')[];
  path: string;
  operationId: string;
  summary: string;
  description: string;
  /** `bearer` routes know their workspace before the handler runs. */
  auth: 'api-key' | 'bearer';
  query?: Query;
  data: Data;
  /** The failures it promises beside those that every address has. */
  failures: Record<number, string>;
  handle(request: ApiRequest<Static<Query>>): Promise<Static<Data>>;
}

/** Numbers start at 1, so a route that needs no token and asks for rows all the same finds none. */
const NO_WORKSPACE = 0;

/** Loses the types of one route's query and data, once they have been checked against its handler. */
export function defineRoute<Query extends TObject, Data extends TSchema>(route: Route<Query, Data>): Route {
  return route as unknown as Route;
}

export function addRoute(
  app: FastifyInstance,
  deps: AuthenticateDeps & { environment: Environment },
  route: Route,
): void {
  const handler = async (request: FastifyRequest, _reply: FastifyReply) => {
    const header = (name: string) => headerValues(request.raw.rawHeaders, name);
    if (route.auth === 'bearer') {
      request.principal = await authenticate(deps, deps.environment, header('authorization'));
    }
    const query = route.query ? parseQuery(route.query, queryString(request.raw.url ?? '')) : {};
    const identify = (principal: Principal) => {
      request.principal = principal;
    };
    const workspaceId = request.principal?.workspaceId ?? NO_WORKSPACE;
    return success(await route.handle({ query, header, identify, workspaceId }));
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
    response: {
      200: envelopeOf(route.data),
      ...Object.fromEntries(
        Object.entries(route.failures).map(([status, description]) => [status, { ...FailureEnvelope, description }]),
      ),
    },
  };
}

function envelopeOf(data: TSchema) {
  return Type.Object(
    { status_code: Type.Integer(), message: Type.String(), data },
    { description: 'Success', additionalProperties: false },
  );
}

/** Read off the raw list: Node's own view drops or joins what was sent twice. */
function headerValues(rawHeaders: readonly string[], name: string): string[] {
  const values: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === name) values.push(rawHeaders[index + 1] ?? '');
  }
  return values;
}

function queryString(url: string): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start + 1);
}
