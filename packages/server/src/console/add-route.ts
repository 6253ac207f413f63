import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type TObject, Type } from 'typebox';
import { type RecordDeps, record } from '../domain/change.ts';
import { ENVIRONMENTS, type Environment } from '../domain/environment.ts';
import { Failure } from '../domain/failure.ts';
import {
  type Accounts,
  type ActingMember,
  findSession,
  isAtLeast,
  requireProof,
  type SessionDeps,
  type SignedInSession,
} from '../domain/members/index.ts';
import { isStorable } from '../domain/text.ts';
import { envelopeOf, success } from '../http/envelope.ts';
import { parseQuery, queryStringOf } from '../http/query.ts';
import { problemsOf } from './contract/check-form.ts';
import { type FileTimes, fileStream } from './file-stream.ts';
import type { SessionCookie } from './members/index.ts';
import type { FileAnswer, Route, WorkspaceVisit } from './route.ts';

const NO_PARAMETERS = Type.Object({});
const FORM_TYPE = 'application/x-www-form-urlencoded';

export interface RouteDeps extends SessionDeps, RecordDeps {
  accounts: Accounts;
  cookie: SessionCookie;
  fileTimes: FileTimes;
}

/** What a browser sends by itself, without a script, arrives as text. */
export function acceptForms(app: FastifyInstance): void {
  app.addContentTypeParser(FORM_TYPE, { parseAs: 'string' }, (_request, body, done) => done(null, body));
}

export function addRoute(app: FastifyInstance, deps: RouteDeps, route: Route): void {
  app.route({
    method: route.method,
    url: route.path,
    // Also says what may leave: a field that is not in the schema is not sent.
    ...(!route.file && { schema: { response: { 200: envelopeOf(route.data) } } }),
    handler: async (request, reply) => {
      if (route.file) allowOwnFrame(reply);
      const visit = openVisit(deps, request, reply);
      const member = route.scope === 'anyone' ? undefined : await admitMember(deps, route, request);
      const workspace = member && route.scope === 'workspace' ? await findWorkspace(deps, member, request) : undefined;
      const query = parseQuery(route.query ?? NO_PARAMETERS, queryStringOf(request.raw.url ?? ''));
      const body = route.body && (route.file ? readForm : checkedBody)(route.body, request);
      const answer = await route.handle({ ...visit, ...member, ...workspace, query, body } as WorkspaceVisit<
        unknown,
        unknown
      >);
      return route.file ? sendFile(reply, answer as FileAnswer, visit.left, deps) : success(answer);
    },
  });
}

function openVisit(deps: RouteDeps, request: FastifyRequest, reply: FastifyReply) {
  return {
    param: (name: string) => storable((request.params as Record<string, string>)[name] ?? ''),
    origin: { address: request.ip, agent: request.headers['user-agent'] ?? '' },
    left: whenLeft(reply),
    setSession: (token: string | undefined) => deps.cookie.set(reply, token),
  };
}

function whenLeft(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (reply.raw.writableFinished) return;
    // Nobody hears this; it is what the log says of the request.
    controller.abort(new Failure('conflict', 'The caller has left.'));
  });
  return controller.signal;
}

/** What no engine can store, nothing is called. */
function storable(identifier: string): string {
  if (isStorable(identifier)) return identifier;
  throw new Failure('not_found', 'Not found.');
}

/** From the cookie to the member, if the member's role allows what is asked. */
async function admitMember(
  deps: RouteDeps,
  route: Pick<Route, 'method' | 'path' | 'role' | 'proof'>,
  request: FastifyRequest,
): Promise<{ session: SignedInSession; actor: ActingMember }> {
  const session = await findSession(deps, deps.cookie.read(request));
  const { accountId, memberId, email, role } = session;
  const actor: ActingMember = { accountId, memberId, name: email, role, address: request.ip, sessionId: session.id };
  if (!isAtLeast(role, route.role ?? 'owner')) {
    await record(deps, actor, 'denial.role', `${route.method} ${route.path}`);
    throw new Failure('forbidden', `Your role (${role}) does not allow this.`);
  }
  if (route.proof) requireProof(session, deps.clock.now());
  return { session, actor };
}

/** The workspace that the address names: always one of the member's own account. */
async function findWorkspace(
  deps: RouteDeps,
  { actor }: { actor: ActingMember },
  request: FastifyRequest,
): Promise<{ environment: Environment; workspaceId: number }> {
  const { environment = '' } = request.params as { environment?: string };
  if (!isEnvironment(environment)) throw new Failure('not_found', 'Not found.');
  return { environment, workspaceId: await deps.accounts.workspaceId(actor.accountId, environment) };
}

/** A hidden frame of the page takes a file, or the words of a refusal: our own pages may frame it, and nobody else's. */
function allowOwnFrame(reply: FastifyReply): void {
  reply.header('Content-Security-Policy', "default-src 'none'; frame-ancestors 'self'");
  reply.header('X-Frame-Options', 'SAMEORIGIN');
}

function sendFile(
  reply: FastifyReply,
  { name, type, content, close }: FileAnswer,
  left: AbortSignal,
  { fileTimes }: RouteDeps,
): FastifyReply {
  const closeFile = () => {
    close().catch((error) => reply.log.warn({ request_id: reply.request.id, err: error }, 'closing a file failed'));
  };
  if (left.aborted) {
    closeFile();
    throw left.reason;
  }
  reply.raw.once('close', closeFile);
  reply.type(type).header('Content-Disposition', `attachment; filename="${name}"`);
  return reply.send(fileStream(content, fileTimes));
}

function isEnvironment(text: string): text is Environment {
  return (ENVIRONMENTS as readonly string[]).includes(text);
}

/** A form is read like an address: every field known, given once, and what it says it is. */
function readForm(schema: TObject, { headers, body }: FastifyRequest): unknown {
  const { 'content-type': type } = headers;
  if (type === undefined && !body) return {};
  if (type?.startsWith(FORM_TYPE) && typeof body === 'string') return parseQuery(schema, body);
  throw new Failure('bad_parameter', `The body must be a form (${FORM_TYPE}).`);
}

function checkedBody(schema: TObject, { body }: FastifyRequest): unknown {
  const [first] = problemsOf(schema, body ?? {});
  if (first) throw new Failure('bad_parameter', first.message);
  return body ?? {};
}
