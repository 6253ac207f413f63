// The most that a Node server can do: the bare HTTP module, answering everything with one constant body and as many
// headers as the service sends. It is told what to answer, and says when it is ready to.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

let body = Buffer.alloc(0);
let headers: [string, string][] = [];

process.on('message', (answer: { body: string; headers: [string, string][] }) => {
  body = Buffer.from(answer.body);
  headers = answer.headers;
  process.send?.('set');
});

const server = createServer((_request, response) => {
  for (const [name, value] of headers) response.setHeader(name, value);
  response.end(body);
});
server.listen(0, '127.0.0.1', () => process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
