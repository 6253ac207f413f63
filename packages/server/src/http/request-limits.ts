import type { FastifyInstance } from 'fastify';
import { sendFailure } from './envelope.ts';

export const ADDRESS_MAX_BYTES = 8 * 1024;
export const HEADERS_MAX_BYTES = 16 * 1024;
export const BODY_MAX_BYTES = 1024 * 1024;

/** What the parser lets through, so that there is a request to answer when one of the limits above is passed. */
export const PARSER_MAX_BYTES = 128 * 1024;

export function addRequestLimits(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw }, reply) => {
    if ((raw.url ?? '').length > ADDRESS_MAX_BYTES) {
      return sendFailure(reply, 414, `Address too long: at most ${ADDRESS_MAX_BYTES} bytes are accepted.`);
    }
    if (lengthOf(raw.rawHeaders) > HEADERS_MAX_BYTES) {
      return sendFailure(reply, 431, `Headers too long: at most ${HEADERS_MAX_BYTES} bytes are accepted.`);
    }
    if (Number(raw.headers['content-length'] ?? 0) > BODY_MAX_BYTES) {
      // The rest of the body is not wanted, and only closing the connection says so.
      reply.header('Connection', 'close');
      return sendFailure(reply, 413, `Request body too large: at most ${BODY_MAX_BYTES} bytes are accepted.`);
    }
    if (raw.httpVersion === '1.1' && raw.headers.host === undefined) {
      return sendFailure(reply, 400, 'Bad request: the Host header is missing.');
    }
  });
}

function lengthOf(texts: readonly string[]): number {
  let length = 0;
  for (const text of texts) length += text.length;
  return length;
}
