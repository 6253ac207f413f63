import { METHODS, request as startRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { LIST_PATH, openTestApi, TOKEN_PATH } from '../testing/test-api.ts';
import { openTestConsole } from '../testing/test-console.ts';

interface Sent {
  status: number;
  allow: string | undefined;
  body: string;
}

/** Sends any method that Node's parser knows; `fetch` refuses some of them. */
function send(method: string, url: string): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const request = startRequest(
      url,
      { method, agent: false, headers: { origin: new URL(url).origin } },
      (response) => {
        const { statusCode: status = 0, headers } = response;
        text(response).then((body) => resolve({ status, allow: headers.allow, body }), reject);
      },
    );
    request.on('connect', ({ statusCode: status = 0, headers }, socket, head) => {
      socket.destroy();
      resolve({ status, allow: headers.allow, body: head.toString() });
    });
    request.on('error', reject);
    request.end();
  });
}

const UNKNOWN = '/nothing/here';

/** The methods that some address accepts. */
const STANDARD = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

async function listeners(): Promise<[address: string, paths: string[]][]> {
  const { address } = await openTestApi();
  const testConsole = await openTestConsole();
  return [
    [address.production, [LIST_PATH, TOKEN_PATH, '/healthz', '/docs/', '/openapi.json', UNKNOWN]],
    [address.sandbox, [LIST_PATH]],
    [testConsole.address, ['/console/session', '/console/production/clients/1-0001', '/healthz', UNKNOWN]],
  ];
}

test.each(METHODS)('%s is answered in the envelope on every listener, and never with a 5xx', async (method) => {
  for (const [address, paths] of await listeners()) {
    for (const path of paths) {
      const { status, allow, body } = await send(method, address + path);
      const what = `${method} ${address}${path} ${body}`;
      expect(status, what).toBeLessThan(500);
      if (method === 'HEAD' || status === 204 || status === 200) continue;
      expect(JSON.parse(body), what).toMatchObject({ status_code: status, message: expect.any(String), data: null });
      if (path === UNKNOWN && method !== 'CONNECT') expect(status, what).toBe(404);
      else expect(STANDARD.has(method) ? [400, 401, 404, 405] : [404, 405], what).toContain(status);
      if (status === 405) expect(allow?.split(', '), what).not.toContain(method);
    }
  }
});
