// The most that a Node server can do: the bare HTTP module, answering everything with one constant body and as many
// headers as the service sends. It is told what to answer, and says when it is ready to.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// Text and not bytes: Node then writes head and body at once, which is a fifth cheaper, and a ceiling must be high.
let body = '';
let headers: [string, string][] = [];

process.on('message', (answer: { body: string; headers: [string, string][] }) => {
  ({ body, headers } = answer);
  process.send?.('set');
});

const server = createServer((_request, response) => {
  for (const [name, value] of headers) response.setHeader(name, value);
  response.end(body);
});
server.listen(0, '127.0.0.1', () => process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
