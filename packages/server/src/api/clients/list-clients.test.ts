import { beforeAll, describe, expect, test } from 'vitest';
import type { NewClient } from '../../domain/clients/client.ts';
import { setRequestStatus } from '../../domain/clients/manage-clients.ts';
import { renameGroup } from '../../domain/clients/manage-groups.ts';
import { aClient, addClients, aWorkspace, TESTER } from '../../testing/builders.ts';
import {
  type Answer,
  LIST_PATH,
  type ListedRecord,
  openTestApi,
  resultsOf,
  send,
  type TestApi,
} from '../../testing/test-api.ts';
import { openOnce } from '../../testing/when-finished.ts';

let api: TestApi;
/** Of the account that the test asks about. */
let token: string;
/** Of an account with `PEOPLE`, for tests that change nothing. */
let tokenOfPeople: string;
let accounts = 0;

const sharedApi = openOnce(openTestApi);

beforeAll(async () => {
  api = await sharedApi();
  await listing(PEOPLE);
  tokenOfPeople = token;
});

/** Lets the test ask about a new account with these clients, and returns its workspace. */
async function listing(clients: NewClient[]): Promise<number> {
  const { workspaceId, secret } = await aWorkspace(api.store, api.clock, `a${++accounts}@firm.example`);
  await addClients(api.store, workspaceId, clients);
  token = await api.token(secret);
  return workspaceId;
}

const get = (query: string) => api.get(`${LIST_PATH}${query}`, { authorization: `Bearer ${token}` });
const names = ({ body }: Answer) => resultsOf(body).map((client) => client.client_name);

const PEOPLE = [
  aClient({ name: 'Ada', email: 'Ada@Firm.Example', groupName: 'Élan Vital', requestStatus: 'completed' }),
  aClient({
    name: 'Bob',
    email: 'bob+x@firm.example',
    groupName: '100%_\\',
    requestStatus: 'pending',
    externalId: 'crm 1',
  }),
  aClient({
    name: 'Cat',
    email: 'cat@firm.example',
    groupName: 'élan vital',
    type: 'company',
    requestStatus: 'completed',
  }),
  aClient({
    name: 'Dan',
    email: 'dan@firm.example',
    groupName: "O'Neil & <b>",
    type: 'company',
    requestStatus: 'declined',
  }),
  aClient({
    name: 'Eve',
    email: 'ada@firm.example',
    groupName: "O'Neil & <b>",
    requestStatus: 'requested',
    status: 'inactive',
    externalId: 'CRM 1',
  }),
];

describe('the list of clients', () => {
  test('contains exactly the fields of the contract', async () => {
    const createdAt = Date.parse('2026-01-31T09:30:00.000Z');
    await listing([
      aClient({
        name: 'Ada',
        email: 'Ada@Firm.Example',
        createdAt,
        referenceId: `${createdAt}-1557`,
        groupName: 'Élan',
      }),
    ]);
    const answer = await get('');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.body).toEqual({
      status_code: 200,
      message: 'Success',
      data: {
        page_number: 1,
        total_count: 1,
        page_limit: 10,
        total_pages: 1,
        results: [
          {
            reference_id: '1769851800000-1557',
            email: 'Ada@Firm.Example',
            client_name: 'Ada',
            client_type: 'individual',
            group_name: 'Élan',
            group_token: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
            request_status: 'Requested',
            client_status: 'active',
            created_at: '2026-01-31T09:30:00.000Z',
          },
        ],
      },
    });
  });

  test.each([
    ['', ['Eve', 'Dan', 'Cat', 'Bob', 'Ada']],
    ['?client_email=ADA%40firm.example', ['Eve', 'Ada']],
    ['?client_email=ada', []],
    ['?client_email=%20ada@firm.example%20', ['Eve', 'Ada']],
    ['?client_email=bob%2Bx@firm.example', ['Bob']],
    ['?client_email=bob+x@firm.example', []],
    ['?client_email=', ['Eve', 'Dan', 'Cat', 'Bob', 'Ada']],
    ['?group_name=%C3%89LAN+VITAL', ['Cat', 'Ada']],
    ['?group_name=E%CC%81lan%20vital', ['Cat', 'Ada']],
    ['?group_name=elan%20vital', []],
    ['?group_name=100%25_%5C', ['Bob']],
    ['?group_name=100%25%25%5C', []],
    ['?group_name=%25', []],
    ['?group_name=O%27Neil%20%26%20%3Cb%3E', ['Eve', 'Dan']],
    ["?group_name='%20OR%201=1--", []],
    ['?group_name=nobody', []],
    ['?request_status=completed', ['Cat', 'Ada']],
    ['?request_status=Completed', ['Cat', 'Ada']],
    ['?request_status=PENDING', ['Bob']],
    ['?request_status=accepted', []],
    ['?client_type=company', ['Dan', 'Cat']],
    ['?client_type=Individual', ['Eve', 'Bob', 'Ada']],
    ['?client_type=company&request_status=completed', ['Cat']],
    ['?client_type=company&request_status=completed&group_name=%C3%A9lan%20vital', ['Cat']],
    ['?client_email=ada@firm.example&request_status=requested', ['Eve']],
    ['?client_email=ada@firm.example&client_type=company', []],
    ['?&request_status=pending&&', ['Bob']],
    ['?request_status=pending,completed', ['Cat', 'Bob', 'Ada']],
    ['?request_status=Pending,%20COMPLETED,pending', ['Cat', 'Bob', 'Ada']],
    ['?request_status=pending,declined,completed,accepted,requested', ['Eve', 'Dan', 'Cat', 'Bob', 'Ada']],
    ['?order=oldest', ['Ada', 'Bob', 'Cat', 'Dan', 'Eve']],
    ['?order=oldest&page_limit=2&page_no=2', ['Cat', 'Dan']],
    ['?order=OLDEST&client_email=ada@firm.example', ['Ada', 'Eve']],
    ['?client_status=active', ['Dan', 'Cat', 'Bob', 'Ada']],
    ['?client_status=Inactive', ['Eve']],
    ['?client_status=active&client_type=individual&order=oldest', ['Ada', 'Bob']],
    ['?client_status=active&page_limit=1&page_no=3', ['Bob']],
    ['?client_status=', ['Eve', 'Dan', 'Cat', 'Bob', 'Ada']],
    ['?external_id=CRM%201', ['Eve']],
    ['?external_id=crm%201,CRM+1,nobody,CRM%201', ['Eve', 'Bob']],
    ['?external_id=Crm%201', []],
    ['?external_id=CRM%201&client_status=active', []],
    ['?external_id=', ['Eve', 'Dan', 'Cat', 'Bob', 'Ada']],
    ['?order=', ['Eve', 'Dan', 'Cat', 'Bob', 'Ada']],
    ['?group_token=00000000-0000-4000-8000-000000000000', []],
    ['?reference_id=1700000000000-9999', []],
    ['?created_from=9999-12-31&created_to=1970-01-01', []],
    ['?page_limit=2', ['Eve', 'Dan']],
    ['?page_limit=2&page_no=2', ['Cat', 'Bob']],
    ['?page_limit=2&page_no=3', ['Ada']],
    ['?page_limit=2&page=3', ['Ada']],
    ['?page_limit=2&page=3&page_no=3', ['Ada']],
    ['?page_no=&page_limit=', ['Eve', 'Dan', 'Cat', 'Bob', 'Ada']],
    ['?page_no=2', []],
  ])('%s gives %j', async (query, expected) => {
    token = tokenOfPeople;
    const answer = await get(query);
    expect(answer.status).toBe(200);
    expect(names(answer)).toEqual(expected);
  });

  test.each([
    ['', { page_number: 1, total_count: 5, page_limit: 10, total_pages: 1 }],
    ['?page_limit=2', { page_number: 1, total_count: 5, page_limit: 2, total_pages: 3 }],
    ['?page_limit=5', { page_number: 1, total_count: 5, page_limit: 5, total_pages: 1 }],
    ['?page_limit=1000', { page_number: 1, total_count: 5, page_limit: 1000, total_pages: 1 }],
    ['?page_no=7&page_limit=1', { page_number: 7, total_count: 5, page_limit: 1, total_pages: 5, results: [] }],
    [
      '?page_no=1000000000&page_limit=1000',
      { page_number: 1_000_000_000, total_count: 5, total_pages: 1, results: [] },
    ],
    ['?group_name=nobody', { page_number: 1, total_count: 0, page_limit: 10, total_pages: 0, results: [] }],
  ])('%s has the totals %j', async (query, expected) => {
    token = tokenOfPeople;
    expect((await get(query)).body.data).toMatchObject(expected);
  });

  test('has the external id and the time of the last change for those who ask for them, and only then', async () => {
    const workspaceId = await listing(PEOPLE);
    const [plain] = resultsOf((await get('?client_status=inactive')).body);
    expect(Object.keys(plain ?? {})).toHaveLength(9);
    api.clock.advance(60);
    const by = { workspaceId, actor: TESTER };
    await setRequestStatus({ ...api.store, clock: api.clock }, by, plain?.reference_id ?? '', 'accepted');
    const both = await get('?client_type=individual&include=updated_at,external_id,updated_at');
    expect(resultsOf(both.body).map(({ external_id, updated_at }) => [external_id, updated_at])).toEqual([
      ['CRM 1', new Date(api.clock.now()).toISOString()],
      ['crm 1', new Date(0).toISOString()],
      [null, new Date(0).toISOString()],
    ]);
    const [one] = resultsOf((await get('?external_id=CRM%201&include=updated_at')).body);
    expect(Object.keys(one ?? {})).toHaveLength(10);
    expect(one?.updated_at).toBe(new Date(api.clock.now()).toISOString());
  });

  const PAGE_NO = 'page_no must be a whole number from 1 to 1000000000.';
  const PAGE_LIMIT = 'page_limit must be a whole number from 1 to 1000.';
  test.each([
    ['page_no=0', PAGE_NO],
    ['page_no=-1', PAGE_NO],
    ['page_no=1e3', PAGE_NO],
    ['page_no=0x10', PAGE_NO],
    ['page_no=1.0', PAGE_NO],
    ['page_no=%201', PAGE_NO],
    ['page_no=1%20', PAGE_NO],
    ['page_no=+1', PAGE_NO],
    ['page_no=%D9%A1', PAGE_NO],
    ['page_no=%EF%BC%91', PAGE_NO],
    ['page_no=true', PAGE_NO],
    ['page_no=null', PAGE_NO],
    ['page_no=NaN', PAGE_NO],
    ['page_no=Infinity', PAGE_NO],
    ['page_no=1000000001', PAGE_NO],
    ['page_no=9223372036854775808', PAGE_NO],
    [`page_no=${'9'.repeat(400)}`, PAGE_NO],
    ['page=0', 'page must be a whole number'],
    ['page=2&page_no=3', 'page is an alias of page_no'],
    ['page_limit=0', PAGE_LIMIT],
    ['page_limit=1001', PAGE_LIMIT],
    ['page_limit=-5', PAGE_LIMIT],
    [
      'request_status=done',
      'request_status must be one of pending, declined, completed, accepted, requested. Separate several values by commas.',
    ],
    ['client_type=person', 'client_type must be one of individual, company.'],
    ['request_status=pending,done', 'request_status must be one of pending,'],
    ['request_status=pending,', 'request_status must not have an empty entry.'],
    ['request_status=,', 'request_status must not have an empty entry.'],
    ['group_token=north', 'group_token must consist of UUIDs.'],
    [`group_token=${'00000000-0000-4000-8000-000000000000,'.repeat(20)}x`, 'group_token must have at most 20 entries.'],
    ['reference_id=7', 'reference_id must have the form of 1769850600000-000000000001.'],
    [`reference_id=${'1-0000,'.repeat(100)}1-0000`, 'reference_id must have at most 100 entries.'],
    ['client_status=gone', 'client_status must be one of active, inactive.'],
    ['external_id=a,,b', 'external_id must not have an empty entry.'],
    [`external_id=${'x'.repeat(256)}`, 'external_id must have at most 255 characters in each entry.'],
    [`external_id=${'a,'.repeat(100)}a`, 'external_id must have at most 100 entries.'],
    ['external_id=a%00', 'external_id must not contain a NUL'],
    ['include=name', 'include must be one of external_id, updated_at. Separate several values by commas.'],
    ['order=random', 'order must be one of newest, oldest.'],
    ['created_from=yesterday', 'created_from must be a date such as 2026-01-31, or a time with its offset'],
    ['created_from=2026-01-31T09:30:00', 'created_from must be a date such as 2026-01-31, or a time with its offset'],
    ['created_to=2026-01-31T09:30:00+01:00', 'created_to must be a date such as 2026-01-31, or a time with its offset'],
    ['created_to=2026-02-30', 'created_to must be a date such as 2026-01-31, or a time with its offset'],
    ['page_no=1&page_no=1', 'page_no was given more than once.'],
    ['client_email=a&client_email=b', 'client_email was given more than once.'],
    ['client_email[]=a', 'client_email[] is not a parameter of this endpoint; did you mean client_email?'],
    ['client_email[x]=a', 'client_email[x] is not a parameter'],
    ['pagelimit=5', 'pagelimit is not a parameter of this endpoint; did you mean page_limit?'],
    ['pageNo=5', 'pageNo is not a parameter of this endpoint; did you mean page_no?'],
    ['status=pending', 'status is not a parameter of this endpoint; did you mean request_status?'],
    ['colour=red', 'colour is not a parameter of this endpoint. The parameters are page_no, page, page_limit,'],
    ['=5', '(empty name) is not a parameter'],
    ['__proto__=1', '__proto__ is not a parameter'],
    ['constructor=1', 'constructor is not a parameter'],
    ['toString', 'toString is not a parameter'],
    ['client_email=a%00b', 'client_email must not contain a NUL'],
    ['group_name=%00', 'group_name must not contain a NUL'],
    ['request_status=pending%00', 'request_status must not contain a NUL'],
    ['client_email=%', 'client_email must be percent-encoded UTF-8.'],
    ['client_email=%zz', 'client_email must be percent-encoded UTF-8.'],
    ['client_email=%C0%AF', 'client_email must be percent-encoded UTF-8.'],
    ['client_email=%ED%A0%80', 'client_email must be percent-encoded UTF-8.'],
    ['client_email=%FF', 'client_email must be percent-encoded UTF-8.'],
    ['%ff=1', 'query string must be percent-encoded UTF-8.'],
    ['%00=1', '? is not a parameter'],
  ])('?%s is refused: %s', async (query, message) => {
    token = tokenOfPeople;
    const answer = await get(`?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ status_code: 400, message: expect.any(String), data: null });
    expect(answer.body.message.startsWith(message), answer.body.message).toBe(true);
  });

  test('several groups, references, a range of times and an order can be combined, also along the links', async () => {
    const at = (seconds: number) => Date.parse('2026-01-01T00:00:00.000Z') + seconds * 1000;
    const people = Array.from({ length: 24 }, (_, index) =>
      aClient({
        name: `C${index}`,
        groupName: `G${index % 4}`,
        requestStatus: index % 3 === 0 ? 'pending' : 'declined',
        createdAt: at(Math.floor(index / 2)),
      }),
    );
    await listing(people);
    const everybody = resultsOf((await get('?page_limit=100&order=oldest')).body) as (ListedRecord & {
      group_token: string;
    })[];
    const tokenOf = (name: string) => everybody[Number(name.slice(1))]?.group_token ?? '';
    const tokens = `${tokenOf('G1').toUpperCase()},${tokenOf('G3')},${tokenOf('G1')}`;
    const query = `group_token=${tokens}&request_status=pending,completed&created_from=2026-01-01T00:00:01Z&created_to=2026-01-01T00:00:11.000Z`;
    const expected = ['C3', 'C9', 'C15', 'C21'];
    expect(names(await get(`?${query}&order=oldest`))).toEqual(expected);
    expect(names(await get(`?${query}`))).toEqual(expected.toReversed());
    expect(names(await get(`?${query}&group_name=g3`))).toEqual(['C15', 'C3']);

    const references = everybody.filter((_, index) => index % 5 === 0).map((each) => each.reference_id);
    const named = `reference_id=${references.join(',')}`;
    expect(names(await get(`?${named}`))).toEqual(['C20', 'C15', 'C10', 'C5', 'C0']);
    expect(names(await get(`?${named}&${query}`))).toEqual(['C15']);

    for (const order of ['newest', 'oldest']) {
      const walked: string[] = [];
      for (let next = `?${query}&order=${order}&page_limit=3`; next !== ''; ) {
        const answer = await api.get(next.startsWith('?') ? LIST_PATH + next : next, {
          authorization: `Bearer ${token}`,
        });
        expect(answer.body.data).toMatchObject({ total_count: 4, total_pages: 2 });
        walked.push(...names(answer));
        next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1] ?? '';
      }
      expect(walked).toEqual(order === 'oldest' ? expected : expected.toReversed());
    }
  });

  test('orders by creation time, then by arrival, newest first', async () => {
    const at = (seconds: number) => Date.parse('2026-01-01T00:00:00.000Z') + seconds * 1000;
    await listing([
      aClient({ name: 'late', createdAt: at(9) }),
      aClient({ name: 'first twin', createdAt: at(5) }),
      aClient({ name: 'early', createdAt: at(1) }),
      aClient({ name: 'second twin', createdAt: at(5) }),
    ]);
    expect(names(await get(''))).toEqual(['late', 'second twin', 'first twin', 'early']);
  });

  test('a group that takes the name of another is listed with its own clients, on every page', async () => {
    const group = (groupName: string, count: number) =>
      Array.from({ length: count }, (_, index) => aClient({ groupName, name: `${groupName}${index}` }));
    const [x, y] = [group('X', 10), group('Y', 20)];
    const workspaceId = await listing([...x, ...y]);
    const pages = async (groupName: string) => {
      const seen: string[] = [];
      for (let page = 1; page <= 7; page++) {
        const answer = await get(`?group_name=${groupName}&page_no=${page}&page_limit=4`);
        expect(answer.status).toBe(200);
        seen.push(...names(answer));
      }
      return seen.reverse();
    };

    expect(await pages('X')).toEqual(x.map(({ name }) => name));
    const deps = { ...api.store, clock: api.clock };
    const by = { workspaceId, actor: TESTER };
    await renameGroup(deps, by, 'X', 'Z');
    await renameGroup(deps, by, 'Y', 'X');
    expect(await pages('X')).toEqual(y.map(({ name }) => name));
    expect(await pages('Z')).toEqual(x.map(({ name }) => name));
    expect(await pages('Y')).toEqual([]);
  });

  test('answers HEAD like GET, without the body', async () => {
    token = tokenOfPeople;
    const url = `${api.address.production}${LIST_PATH}?page_limit=2`;
    const headers = { authorization: `Bearer ${token}` };
    const [head, whole] = [await send(url, { method: 'HEAD', headers }), await send(url, { headers })];
    expect(head.status).toBe(200);
    expect(head.text).toBe('');
    for (const name of ['content-type', 'content-length', 'cache-control']) {
      expect(head.headers.get(name), name).toBe(whole.headers.get(name));
    }
    expect(await send(`${url}&page_no=0`, { method: 'HEAD', headers })).toMatchObject({ status: 400, text: '' });
  });
});
