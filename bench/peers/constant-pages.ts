// A server that answers every list request with the same page and a link to the next one, so that only the caller's time
// is measured. walk-client.ts runs it in its own process.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const PAGE_LIMIT = 1000;
const totalCount = Number(process.argv[2]);
const totalPages = Math.ceil(totalCount / PAGE_LIMIT);

const results = Array.from({ length: PAGE_LIMIT }, (_, index) => ({
  reference_id: `${1_767_225_600_000 + index}-${String(index).padStart(4, '0')}`,
  email: `client${index}@mail.example`,
  client_name: `Client number ${index}`,
  client_type: 'individual',
  group_name: 'Everyone',
  group_token: '3f2b8a44-6a1c-4c53-9a3e-0d5c2f7b9e10',
  request_status: 'Requested',
  client_status: 'active',
  created_at: '2026-01-01T00:00:00.000Z',
}));
const page = envelope({
  page_number: 1,
  total_count: totalCount,
  page_limit: PAGE_LIMIT,
  total_pages: totalPages,
  results,
});
const token = envelope({ access_token: 'token', expires_in: 3600 });

const server = createServer((request, response) => {
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  if (!request.url?.startsWith('/api/v1/clients-list/')) return void response.end(token);
  const number = Number(new URL(request.url, 'http://localhost').searchParams.get('cursor') ?? 1);
  const next = number < totalPages ? `, </api/v1/clients-list/?cursor=${number + 1}>; rel="next"` : '';
  response.setHeader('Link', `</api/v1/clients-list/>; rel="first"${next}`);
  response.end(page);
});
server.listen(0, '127.0.0.1', () => process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));

function envelope(data: object): Buffer {
  return Buffer.from(JSON.stringify({ status_code: 200, message: 'Success', data }));
}
