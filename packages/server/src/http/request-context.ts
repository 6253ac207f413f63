import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TObject } from 'typebox';
import type { Principal } from '../domain/credentials/index.ts';
import { Failure } from '../domain/failure.ts';
import type { NetworkList } from '../domain/network-address.ts';
import { queryStringOf } from './address.ts';
import { callerAddress } from './caller-address.ts';
import { type ContentEncoding, chooseEncoding } from './content-encoding.ts';
import { type HeaderList, valuesOf } from './header-list.ts';
import { parseQuery } from './query.ts';
import { requestIdOf } from './request-id.ts';

const NO_HEADERS: HeaderList = [];

export type PathParameters = Readonly<Record<string, string | undefined>>;

interface FoundRoute {
  route: { query?: TObject };
  parameters: PathParameters;
}

/** One request while it is being answered: what the pipeline and the handlers know about it. */
export class RequestContext {
  readonly requestId: string;
  readonly startedAt = performance.now();
  readonly request: IncomingMessage;
  /** The body, once it has been read and checked against the route's schema. */
  body: unknown = undefined;
  /** The API key that the caller was identified by, for the log and for counting calls. */
  principal: Principal | null = null;
  /** Headers that the answer carries whether the handler succeeds or fails. They replace common headers of the same name. */
  readonly extraHeaders: string[] = [];
  /** Headers that the answer carries in the same way and that no other headers replace. Replacing takes longer than writing them. */
  callerHeaders: HeaderList = NO_HEADERS;
  readonly parameters: PathParameters;
  /** How the caller wants the body of the answer to be compressed, if at all. */
  readonly contentEncoding: ContentEncoding | undefined;
  readonly #response: ServerResponse;
  readonly #querySchema: TObject | undefined;
  readonly #trustedProxies: NetworkList;
  #address: string | undefined;
  #query: object | undefined;
  #signal: AbortSignal | undefined;

  constructor(request: IncomingMessage, response: ServerResponse, trustedProxies: NetworkList, found?: FoundRoute) {
    this.request = request;
    this.requestId = requestIdOf(request);
    this.parameters = found?.parameters ?? {};
    this.contentEncoding = chooseEncoding(this.header('accept-encoding'));
    this.#response = response;
    this.#querySchema = found?.route.query;
    this.#trustedProxies = trustedProxies;
  }

  get method(): string {
    return this.request.method ?? '';
  }

  /** The IP address of the caller. Empty when the connection has already been closed. */
  get address(): string {
    this.#address ??= callerAddress(
      this.request.socket.remoteAddress ?? '',
      this.request.rawHeaders,
      this.#trustedProxies,
    );
    return this.#address;
  }

  /** As it was sent. */
  get queryString(): string {
    return queryStringOf(this.request.url ?? '');
  }

  /** The parameters of the query string. Throws when they do not match the route's schema. */
  get query(): object {
    return this.checkQuery();
  }

  /** Reads the query string against the route's schema, once. */
  checkQuery(): object {
    this.#query ??= this.#querySchema ? parseQuery(this.#querySchema, this.queryString) : {};
    return this.#query;
  }

  /** All values of a header, in the order in which they were sent. Takes the name in lower case. */
  header(name: string): string[] {
    return valuesOf(this.request.rawHeaders, name);
  }

  /** A part of the path by its name in the route's pattern. An arrow function, so that handlers can take it out of the context. */
  readonly parameter = (name: string): string => this.parameters[name] ?? '';

  /** Aborted, with a failure as its reason, when the caller leaves before the answer is complete. */
  get signal(): AbortSignal {
    this.#signal ??= abortedWhenLeft(this.#response);
    return this.#signal;
  }
}

function abortedWhenLeft(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const onClose = () => {
    // No caller receives this failure; it only decides the status in the log.
    if (!response.writableFinished) controller.abort(new Failure('conflict', 'The caller has left.'));
  };
  if (response.closed) onClose();
  else response.once('close', onClose);
  return controller.signal;
}
