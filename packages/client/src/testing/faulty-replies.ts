import type { Reply } from './fake-service.ts';

export const dropConnection: Reply = (response) => void response.destroy();

/** Never answers; the connection stays open. */
export const hang: Reply = () => {};

export const hangInTheBody: Reply = (response) => void response.writeHead(200, JSON_HEADERS).write('{"status_code":');

/** Announces more bytes than it sends. */
export const cutOffBody: Reply = (response) => {
  response.writeHead(200, { ...JSON_HEADERS, 'Content-Length': '1000' }).write('{"status_code":200,', () => {
    response.destroy();
  });
};

/** The length is correct, but the JSON is not. */
export const truncatedJson: Reply = (response) =>
  void response.writeHead(200, JSON_HEADERS).end('{"status_code":200,"da');

export const htmlPage: Reply = (response) =>
  void response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>');

export function redirect(location: string): Reply {
  return (response) => void response.writeHead(302, { Location: location }).end();
}

/** A failure in the envelope or, without a message, a page as a gateway sends it. */
export function failure(status: number, message?: string, headers: Record<string, string> = {}): Reply {
  return (response) => {
    const body = message === undefined ? '<h1>Bad Gateway</h1>' : envelope(status, message);
    response.writeHead(status, { ...JSON_HEADERS, 'X-Request-Id': 'request-7', ...headers }).end(body);
  };
}

export function tooManyRequests(retryAfter?: string): Reply {
  return failure(429, 'Too many requests.', retryAfter === undefined ? {} : { 'Retry-After': retryAfter });
}

const JSON_HEADERS = { 'Content-Type': 'application/json; charset=utf-8' };

function envelope(status: number, message: string): string {
  return JSON.stringify({ status_code: status, message, data: null });
}
