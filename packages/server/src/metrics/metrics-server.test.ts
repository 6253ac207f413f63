import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { openMetricsServer } from './metrics-server.ts';

async function aMetricsServer(host = '127.0.0.1', read = async () => 'up 1\n') {
  const server = await openMetricsServer({ host, port: 0 }, { contentType: 'text/plain', read });
  onTestFinished(() => server.close());
  return { address: server.address, port: Number(new URL(server.address).port) };
}

async function aConnection(port: number, sent = ''): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  // A connection that the server closes may also be reset.
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(sent);
  return socket;
}

const asking = (path: string) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;

test.each([
  ['that send nothing', '', 0],
  ['that never finish a request', 'GET /metrics HTTP/1.1\r\nHost: 127.', 0],
  ['that were answered once', asking('/metrics'), 1],
])('connections %s do not keep Prometheus out, however many there are', async (_what, sent, answers) => {
  const { address, port } = await aMetricsServer();
  for (let each = 0; each < 50; each++) {
    const socket = await aConnection(port, sent);
    if (answers > 0) await once(socket, 'data');
  }
  for (let each = 0; each < 3; each++) expect(await (await fetch(address)).text()).toBe('up 1\n');
});

test('when there are too many connections, the one that has been idle for the longest is closed, and none that is being answered', async () => {
  const answered = Promise.withResolvers<string>();
  const { port } = await aMetricsServer('127.0.0.1', () => answered.promise);
  const asked = await aConnection(port, asking('/metrics'));
  const idle = await aConnection(port);
  const closed = once(idle, 'close');
  for (let each = 0; each < 20; each++) await aConnection(port);
  await closed;
  answered.resolve('up 1\n');
  expect(String(await once(asked, 'data'))).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
});

test.each([
  ['an unknown address', asking('/'), 404],
  ['another method', asking('/metrics').replace('GET', 'DELETE'), 405],
  ['another name', asking('/metrics').replace('127.0.0.1', 'evil.example'), 421],
  ['what is not HTTP', 'hello\r\n\r\n', 400],
])('a connection is closed after %s was refused', async (_what, sent, status) => {
  const { port } = await aMetricsServer();
  const socket = await aConnection(port, sent);
  expect(await text(socket)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
});

test.each([
  ['127.0.0.1', 200],
  ['192.0.2.7:9464', 200],
  ['[::1]:9464', 200],
  ['localhost', 200],
  ['LOCALHOST:9464', 200],
  ['evil.example', 421],
  ['evil.example:9464', 421],
  ['localhost.evil.example', 421],
  ['127.0.0.1.evil.example', 421],
  ['127.1', 421],
])(
  'a request to the name "%s" is answered with %d, so that a page of another site reads nothing',
  async (host, status) => {
    const { port } = await aMetricsServer();
    expect(await statusFor(port, host)).toBe(status);
  },
);

test('the name in the settings is one by which the metrics may be asked for', async () => {
  const { port } = await aMetricsServer('127.1');
  expect(await statusFor(port, '127.1:9464')).toBe(200);
});

async function statusFor(port: number, host: string): Promise<number | undefined> {
  const asked = request({ host: '127.0.0.1', port, path: '/metrics', headers: { host } }).end();
  const [response] = await once(asked, 'response');
  response.resume();
  return response.statusCode;
}
