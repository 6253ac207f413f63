import { isDeepStrictEqual } from 'node:util';
import type { Calls } from './calls.ts';
import { type ListedClient, type Model, REQUEST_STATUSES } from './model.ts';

const PAGE_LIMIT = 1000;
const FIELDS = 'include=external_id';

interface Page {
  total_count: number;
  results: ListedClient[];
}

interface Filter {
  query: string;
  matches(client: ListedClient): boolean;
}

/** Compares every list of the service with the model, while nobody writes. Returns how many lists, or throws. */
export async function compareWithModel(calls: Calls, model: Model, authorization: string): Promise<number> {
  const whole = await walk(calls, authorization, '');
  requireModel(whole, model);
  const filters = filtersOf(model);
  for (const { query, matches } of filters) {
    const listed = await walk(calls, authorization, query);
    if (!isDeepStrictEqual(listed, whole.filter(matches)))
      throw new Error(`the list ${query} is not part of the whole`);
  }
  await requireSummary(calls, authorization, whole, model);
  return filters.length + 2;
}

function filtersOf(model: Model): Filter[] {
  return [
    ...REQUEST_STATUSES.map((status) => ({
      query: `request_status=${status}`,
      matches: (client: ListedClient) => client.request_status.toLowerCase() === status,
    })),
    ...(['individual', 'company'] as const).map((type) => ({
      query: `client_type=${type}`,
      matches: (client: ListedClient) => client.client_type === type,
    })),
    ...(['active', 'inactive'] as const).map((status) => ({
      query: `client_status=${status}`,
      matches: (client: ListedClient) => client.client_status === status,
    })),
    ...[...model.groups].map(([token, name]) => ({
      query: `group_name=${encodeURIComponent(name)}`,
      matches: (client: ListedClient) => client.group_token === token,
    })),
  ];
}

/** All clients of a list, from page to page by the links of the service. */
async function walk(calls: Calls, authorization: string, query: string): Promise<ListedClient[]> {
  const clients: ListedClient[] = [];
  let path: string | undefined = `/api/v1/clients-list/?page_limit=${PAGE_LIMIT}&${FIELDS}${query && `&${query}`}`;
  let total = 0;
  while (path !== undefined) {
    const answer = await calls.persistently<Page>({ path, headers: { authorization } });
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${answer.text}`);
    const { data, headers } = answer;
    clients.push(...data.results);
    total = data.total_count;
    path = nextOf(headers.link);
  }
  if (clients.length !== total) throw new Error(`${query || 'the whole list'}: ${clients.length} clients of ${total}`);
  return clients;
}

function nextOf(link: string | string[] | undefined): string | undefined {
  const target = /<([^>]+)>; rel="next"/.exec(String(link))?.[1];
  if (target === undefined) return undefined;
  const { pathname, search } = new URL(target, 'http://localhost');
  return pathname + search;
}

/** Every client once, as the model has it, the newest first. */
function requireModel(whole: readonly ListedClient[], model: Model): void {
  const ids = new Set(whole.map(({ external_id }) => external_id));
  if (ids.size !== whole.length) throw new Error('a client is listed twice');
  const missing = [...model.clients.keys()].filter((id) => !ids.has(id));
  if (missing.length > 0) throw new Error(`${missing.length} clients are missing, the first is ${missing[0]}`);
  for (const [index, client] of whole.entries()) {
    const difference = model.differenceOf(client);
    if (difference) throw new Error(difference);
    if (client.created_at > (whole[index - 1]?.created_at ?? client.created_at)) {
      throw new Error(`${client.external_id} is newer than the client before it`);
    }
  }
}

async function requireSummary(
  calls: Calls,
  authorization: string,
  whole: readonly ListedClient[],
  model: Model,
): Promise<void> {
  const path = '/api/v1/clients-summary/';
  const { data } = await calls.persistently<Record<string, unknown>>({ path, headers: { authorization } });
  const count = (matches: (client: ListedClient) => boolean) => whole.filter(matches).length;
  const expected = {
    total_count: whole.length,
    by_request_status: Object.fromEntries(
      REQUEST_STATUSES.map((status) => [status, count((client) => client.request_status.toLowerCase() === status)]),
    ),
    by_client_status: {
      active: count(({ client_status }) => client_status === 'active'),
      inactive: count(({ client_status }) => client_status === 'inactive'),
    },
  };
  const { total_count, by_request_status, by_client_status } = data;
  const counted = { total_count, by_request_status, by_client_status };
  if (!isDeepStrictEqual(counted, expected)) {
    throw new Error(`the summary of ${model.clients.size} clients is ${JSON.stringify(counted)}`);
  }
}
