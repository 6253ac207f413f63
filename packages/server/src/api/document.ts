import type { TSchema } from 'typebox';
import { envelopeSchema, FailureEnvelope } from '../http/envelope.ts';
import { type ApiDeps, apiRoutes } from './all-routes.ts';
import type { ApiRoute } from './define-route.ts';
import { withNamedSchemas } from './named-schemas.ts';
import { exampleOf } from './schema-example.ts';

const ABOUT = {
  openapi: '3.1.0',
  info: {
    title: 'Rollcall',
    version: '1',
    description:
      'Who are our clients, and where does each stand? Exchange an API key for an access token, then list clients with it. Every body is an envelope: `status_code`, `message`, `data`.',
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: '/', description: 'The environment this document was fetched from' }],
  /** What the reference page preselects. Every operation declares what it needs. */
  security: [{ accessToken: [] }],
  components: {
    securitySchemes: {
      apiKey: {
        type: 'apiKey',
        in: 'header',
        name: 'api-key',
        description: 'Created in the dashboard or with `rollcall key create`.',
      },
      accessToken: { type: 'http', scheme: 'bearer', description: 'From `/api/v1/generate-access-token/`.' },
    },
  },
};

/** The answer to a known caller carries these, whatever its status, unless the caller is not limited. */
const RATE_LIMIT_HEADERS = {
  'RateLimit-Policy': 'The rate limit of the API key: `q` calls, which are all there again after `w` seconds.',
  RateLimit: 'What is left of it: `r` calls now, and all of them after `t` seconds.',
};

const COMMON_HEADERS = {
  'X-Request-Id': 'Identifies the request, also in the log of the service. A well-formed one that was sent is kept.',
};

const RETRY_AFTER = { 'Retry-After': 'After how many seconds to try again.' };
const CHALLENGE = { 'WWW-Authenticate': 'How to authenticate, and what is missing or wrong (RFC 6750).' };

const HEADERS_BY_STATUS: Record<string, Record<string, string>> = {
  304: { ETag: 'The tag that was sent.' },
  401: CHALLENGE,
  403: CHALLENGE,
  429: { ...RETRY_AFTER, ...RATE_LIMIT_HEADERS },
  503: RETRY_AFTER,
};

const EXAMPLE_MESSAGES: Record<string, string> = {
  400: 'client_type must be one of individual, company.',
  401: 'Authentication credentials were not provided. Send the header "Authorization: Bearer <access_token>".',
  403: 'Forbidden: this key may not read clients.',
  404: 'There is no client with the reference 1769850600000-000000000001.',
  409: 'The group Partners already has a client with this email (1769850600000-000000000001).',
  412: 'The client has been changed since you read it. Read it again before you change it.',
  413: 'Request body too large: at most 1048576 bytes are accepted.',
  415: 'Unsupported content type: the body must be JSON (application/json).',
  422: 'This Idempotency-Key was used for another request. Use a new one for each request.',
  429: 'Too many requests',
  500: 'Internal error',
  503: 'Service temporarily unavailable',
};

/** What every address may answer besides what its route promises. */
const COMMON_FAILURES = { 500: 'A defect of the service. The log has the cause under `X-Request-Id`.' };

/** The OpenAPI document, made from the routes. Describing a route uses none of its dependencies. */
export function openApiDocument(): object {
  const paths: Record<string, object> = {};
  for (const route of apiRoutes({} as ApiDeps)) {
    // OpenAPI writes parts that vary in braces. Several routes may have one path.
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], ...operationsOf(route) };
  }
  const { document, schemas } = withNamedSchemas({ ...ABOUT, paths });
  return { ...document, components: { ...ABOUT.components, schemas } };
}

function operationsOf(route: ApiRoute): object {
  return Object.fromEntries(route.methods.map((method) => [method.toLowerCase(), operationOf(route, method)]));
}

function operationOf(route: ApiRoute, method: string): object {
  return {
    operationId: route.methods[0] === method ? route.operationId : `${route.operationId}By${method}`,
    summary: route.summary,
    description: route.description,
    ...parametersOf(route),
    ...(route.body && { requestBody: { required: true, ...json(route.body) } }),
    ...(route.streamedBody && { requestBody: { required: true, content: filesOf(route.streamedBody.types) } }),
    security: securityOf(route),
    responses: {
      [route.status ?? 200]: success(route, 'Success'),
      ...(route.otherStatus && { [route.otherStatus.status]: success(route, route.otherStatus.description) }),
      ...Object.fromEntries(Object.entries({ ...route.others, ...COMMON_FAILURES }).map(otherAnswer)),
    },
  };
}

/** In OpenAPI 3.1, a file has a media type and no schema. */
function filesOf(types: readonly string[]): object {
  return Object.fromEntries(types.map((type) => [type, {}]));
}

function success(route: ApiRoute, description: string): object {
  return {
    description,
    ...successHeaders(route),
    ...(route.mediaType ? content(route.mediaType, route.data) : json(envelopeSchema(route.data))),
  };
}

function parametersOf({ query, pathParameters = {}, requestHeaders = {} }: ApiRoute): object {
  const parameters = [
    ...Object.entries(pathParameters).map(([name, schema]) => ({
      ...parameter([name, schema]),
      in: 'path',
      required: true,
    })),
    ...Object.entries<TSchema>(query?.properties ?? {}).map(parameter),
    ...Object.entries(requestHeaders).map(([name, description]) => ({
      name,
      in: 'header',
      required: false,
      description,
      schema: { type: 'string' },
    })),
  ];
  return parameters.length === 0 ? {} : { parameters };
}

function securityOf({ access }: ApiRoute): object[] {
  if (access === 'anyone') return [];
  return [access === 'api-key' ? { apiKey: [] } : { accessToken: [access.scope] }];
}

/** Only callers that are known by an API key or an access token are limited. */
function successHeaders({ access, headers = {} }: ApiRoute): object {
  const limits = access === 'anyone' ? {} : RATE_LIMIT_HEADERS;
  return { headers: headersOf({ ...headers, ...limits, ...COMMON_HEADERS }) };
}

/** Every parameter of a query string may be left out. */
function parameter([name, schema]: [string, TSchema]): object {
  const { description, examples, ...rest } = schema as TSchema & { description?: string; examples?: unknown[] };
  const list = 'items' in rest ? { style: 'form', explode: false } : {};
  return { name, in: 'query', required: false, description, ...list, ...notFilledIn(schema), schema: rest };
}

/** The reference page fills in every parameter that has an example, so a first try would find no client. */
function notFilledIn(schema: TSchema): object {
  return { examples: { example: { value: exampleOf(schema), 'x-disabled': true } } };
}

function headersOf(descriptions: Record<string, string>): object {
  const headers = Object.entries(descriptions);
  return Object.fromEntries(headers.map(([name, description]) => [name, { description, schema: { type: 'string' } }]));
}

function otherAnswer([status, description]: [string, string]): [string, object] {
  const headers = headersOf({ ...HEADERS_BY_STATUS[status], ...COMMON_HEADERS });
  const failure = { status_code: Number(status), message: EXAMPLE_MESSAGES[status], data: null };
  return [status, { description, headers, ...(status !== '304' && json(FailureEnvelope, failure)) }];
}

function json(schema: TSchema, example?: object): object {
  return content('application/json', schema, example);
}

function content(mediaType: string, schema: TSchema, example: unknown = exampleOf(schema)): object {
  return { content: { [mediaType]: { schema, example } } };
}
