import { expect, test } from 'vitest';
import { addClient } from '../domain/clients/manage-clients.ts';
import { findWorkspace } from '../domain/members/account.ts';
import type { Store } from '../store/open-store.ts';
import { TEST_PASSWORD } from '../testing/builders.ts';
import { type Browser, openTestConsole, type TestConsole } from '../testing/test-console.ts';
import { type ConsoleDeps, consoleRoutes } from './all-routes.ts';
import type { ConsoleRoute } from './define-route.ts';

/** Describing a route uses none of its dependencies. */
const ROUTES = consoleRoutes({} as ConsoleDeps);
const GUARDED = ROUTES.filter(({ access }) => access !== 'anyone');

const CLIENT = { email: 'a@b.example', client_name: 'A', client_type: 'company', group_name: 'G' };
const SEEN = { ...CLIENT, request_status: 'requested', client_status: 'active' };

/** A valid body for each route that has one. A new route with a body must be added here. */
const BODIES: Record<string, (identifiers: Record<string, string>) => unknown> = {
  'POST /console/session/proof': () => ({ password: TEST_PASSWORD }),
  'PATCH /console/account': () => ({ requires_decline_reason: true }),
  'PATCH /console/members/:memberId': () => ({ role: 'viewer' }),
  'POST /console/invitations': () => ({ email: 'new@firm.example', role: 'viewer' }),
  'PUT /console/profile/password': () => ({ password: 'not the password', new_password: 'another fine phrase' }),
  'PUT /console/profile/second-factor': () => ({ code: '000000' }),
  'POST /console/profile/second-factor/removal': () => ({ password: 'not the password', code: '000000' }),
  'POST /console/profile/passkeys': () => ({
    name: 'new',
    passkey: { id: 'AA', client_data: 'AA', attestation: 'AA' },
  }),
  'POST /console/profile/passkeys/removal': ({ passkeyId = 'unknown' }) => ({
    passkey_id: passkeyId,
    password: TEST_PASSWORD,
  }),
  'POST /console/:environment/clients': () => CLIENT,
  'PATCH /console/:environment/clients/:referenceId': () => ({ seen: SEEN, change: { client_name: 'Taken over' } }),
  'POST /console/:environment/clients/changes': ({ referenceId }) => ({
    reference_ids: [referenceId],
    request_status: 'accepted',
  }),
  'POST /console/:environment/clients/changes/undo': ({ referenceId }) => ({
    reference_ids: [referenceId],
    version: 1,
  }),
  'POST /console/:environment/selection-counts': ({ referenceId }) => ({ reference_ids: [referenceId] }),
  'POST /console/:environment/bulk-changes': ({ referenceId }) => ({
    reference_ids: [referenceId],
    client_status: 'inactive',
  }),
  'POST /console/:environment/review/decisions': ({ referenceId }) => ({
    clients: [{ reference_id: referenceId, seen: SEEN }],
    request_status: 'accepted',
  }),
  'POST /console/:environment/review/assignments': ({ referenceId, memberId = '1' }) => ({
    clients: [{ reference_id: referenceId, seen_member_id: null }],
    member_id: Number(memberId),
  }),
  'POST /console/:environment/imports': ({ referenceId = '' }) => {
    const row = { ...CLIENT, reference_id: referenceId };
    return new TextEncoder().encode(`${Object.keys(row)}\n${Object.values(row)}\n`);
  },
  'POST /console/:environment/import-preview': () => new TextEncoder().encode('not a workbook'),
  'POST /console/:environment/imports/:importId/corrections': () => ({
    rows: [{ row_number: 1, seen: '', cells: CLIENT }],
  }),
  'POST /console/:environment/imports/:importId/rejects.csv': () => new URLSearchParams(),
  'POST /console/:environment/clients.csv': () => new URLSearchParams(),
  'POST /console/activity/export': () => new URLSearchParams({ format: 'ndjson' }),
  'POST /console/activity/checkpoint': () => new URLSearchParams(),
  'POST /console/:environment/groups': () => ({ group_name: 'New' }),
  'PATCH /console/:environment/groups/:groupToken': () => ({ group_name: 'Taken over' }),
  'POST /console/:environment/groups/:groupToken/merge': ({ groupToken = 'unknown' }) => ({
    into_token: groupToken,
  }),
  'POST /console/:environment/views': () => ({ name: 'New', filters: {}, is_shared: false }),
  'PATCH /console/:environment/views/:viewId': () => ({ name: 'Taken over' }),
  'POST /console/:environment/keys': () => ({ name: 'new' }),
  'PATCH /console/:environment/keys/:keyId': () => ({ name: 'Taken over', allowed_networks: ['10.0.0.1'] }),
  'POST /console/:environment/keys/:keyId/roll': () => ({ overlap_seconds: 0 }),
};

const QUERIES: Record<string, string> = {
  'GET /console/:environment/new-clients': '?times=0,1900000000000',
  'POST /console/:environment/imports': '?file_name=x.csv&dry_run=false',
};

function send(browser: Browser, route: ConsoleRoute, identifiers: Record<string, string> = {}) {
  const name = nameOf(route);
  const path = route.path.replace(/:(\w+)/g, (_, param) =>
    param === 'environment' ? 'production' : (identifiers[param] ?? 'unknown'),
  );
  const body = BODIES[name]?.(identifiers);
  if (route.body && body === undefined) throw new Error(`${name} needs a body in this test`);
  return browser.send(methodOf(route), path + (QUERIES[name] ?? ''), body);
}

const THEIR_FILE = 'email,client_name,client_type,group_name\ntheir-wrong-email,their-client,company,their-group\n';

/** An account with one of everything. Every value contains the word `their`. */
async function theirAccount({ owner, store, clock }: TestConsole) {
  const browser = await owner('their-owner@mail.example');
  const list = async (path: string, name: string) => {
    const data = (await browser.get(path)).body.data as Record<string, Record<string, unknown>[]>;
    return data[name]?.[0] ?? {};
  };
  await browser.post('/console/invitations', { email: 'their-guest@mail.example', role: 'viewer' });
  await browser.post('/console/production/keys', { name: 'their-key' });
  const view = { name: 'their-view', filters: { search: 'their-word' }, is_shared: true };
  await browser.post('/console/production/views', view);
  const { client } = await addClient(
    { ...store, clock },
    {
      workspaceId: await findWorkspace(store, 'their-owner@mail.example', 'production'),
      actor: { name: 'their-actor', address: '' },
    },
    { email: 'their-client@mail.example', name: 'their-name', type: 'company', groupName: 'their-group' },
  );
  const passkeyId = await aPasskey(store, 'their-owner@mail.example');
  const identifiers: Record<string, string> = {
    passkeyId,
    memberId: String((await list('/console/members', 'members')).member_id),
    invitationId: String((await list('/console/members', 'invitations')).invitation_id),
    sessionId: String((await list('/console/profile', 'sessions')).session_id),
    keyId: String((await list('/console/production/keys', 'keys')).key_id),
    number: '1',
    entryNumber: '1',
    referenceId: client.referenceId,
    groupToken: client.groupToken,
    viewId: String((await list('/console/production/views', 'views')).view_id),
    importId: (await browser.import('production', THEIR_FILE, { name: 'their-file.csv' })).import.import_id,
    changeId: await aBulkChange(browser, client.referenceId),
  };
  return { browser, identifiers };
}

/** One that is over and can be undone. */
async function aBulkChange(browser: Browser, referenceId: string): Promise<string> {
  const path = '/console/production/bulk-changes';
  const { body } = await browser.post(path, { reference_ids: [referenceId], client_status: 'inactive' });
  const id = String(body.data?.change_id);
  const read = async () => (await browser.get(`${path}/${id}`)).body.data?.change;
  await expect.poll(read).toMatchObject({ state: 'completed', undoable: 1 });
  return id;
}

async function aPasskey(store: Store, email: string): Promise<string> {
  const [found] = await store.credentials.byEmail(email);
  if (!found) throw new Error(`There is no member ${email}.`);
  const { id: memberId, accountId } = found.member;
  const passkey = { id: 'dGhlaXItcGFzc2tleQ', accountId, memberId, publicKey: '', counter: 0 };
  const actor = { name: email, address: '' };
  await store.changeAccount({ accountId, actor, at: 0 }, async (change) => {
    await change.passkeys.add({ ...passkey, name: 'their-passkey', createdAt: 0, usedAt: null });
    change.record('profile.passkey-added', 'their-passkey');
  });
  return passkey.id;
}

function methodOf({ methods }: ConsoleRoute): string {
  return methods[0] ?? '';
}

function nameOf(route: ConsoleRoute): string {
  return `${methodOf(route)} ${route.path}`;
}

/** An export only reads, although it is requested with a form. */
function reads(route: ConsoleRoute): boolean {
  return methodOf(route) === 'GET' || route.bodyType === 'form';
}

/** Everything that a browser can read, as text, except for the records of reading it. */
async function everything(browser: Browser): Promise<string> {
  const texts: string[] = [];
  for (const route of GUARDED) {
    if (!reads(route) || /:(?!environment)/.test(route.path)) continue;
    // Every reading adds an entry to the log, so it is never the same file again.
    if (route.path.startsWith('/console/activity/') && route.bodyType === 'form') continue;
    const { text, body } = await send(browser, route);
    const entries = body?.data?.results as { action?: string }[] | undefined;
    if (!route.path.endsWith('activity') || !entries) texts.push(text);
    else
      texts.push(...entries.filter(({ action }) => action !== 'client.exported').map((entry) => JSON.stringify(entry)));
  }
  return texts.join('\n');
}

test('with the identifiers of another account no route reveals or changes anything', async () => {
  const testConsole = await openTestConsole();
  const mine = await testConsole.owner('my-owner@mail.example');
  const { browser, identifiers } = await theirAccount(testConsole);
  const before = await everything(browser);
  expect(before).toContain('their-client@mail.example');

  for (const route of GUARDED.filter((each) => nameOf(each) !== 'DELETE /console/session')) {
    const { status, text } = await send(mine, route, identifiers);
    const name = nameOf(route);
    expect(text, name).not.toMatch(/their-/);
    if (/:(?!environment)/.test(route.path)) {
      expect(status, name).toBe(404);
      const unknown = await send(mine, route, { memberId: '999999' });
      expect(unknown.text.replaceAll('unknown', '?'), name).toBe(
        Object.values(identifiers)
          .filter((each) => each.length > 5)
          .reduce((masked, each) => masked.replaceAll(each, '?'), text),
      );
    }
  }
  expect(await everything(browser)).toBe(before);
});

test('without a session every route answers 401, except those for signing in', async () => {
  const { browser } = await openTestConsole();
  for (const route of GUARDED) expect((await send(browser(), route)).status, route.path).toBe(401);
});

test('a viewer can read all pages, take no files away and change only their own profile and views, and refusals are on record', async () => {
  const testConsole = await openTestConsole();
  const owner = await testConsole.owner();
  const viewer = await testConsole.join(owner, 'viewer@firm.example', 'viewer');

  const isFile = ({ access }: ConsoleRoute) => access !== 'anyone' && access.file;
  const changing = GUARDED.filter(
    (route) => !reads(route) && !/^.console.(session|profile|:environment.views)/.test(route.path),
  );
  const refused = [...changing, ...GUARDED.filter(isFile)];
  for (const route of refused) {
    expect((await send(viewer, route)).status, nameOf(route)).toBe(403);
  }
  for (const route of GUARDED.filter((each) => reads(each) && !isFile(each) && !/:(?!environment)/.test(each.path))) {
    expect((await send(viewer, route)).status, route.path).toBe(200);
  }
  const activity = await owner.get('/console/activity?kind=denial');
  expect(activity.body.data).toMatchObject({ total_count: refused.length });
});

test('whoever is asked for the password again learns for what, whichever route asks', async () => {
  const { owner, clock } = await openTestConsole();
  const browser = await owner();
  clock.advance(601);
  const asking = GUARDED.filter(({ access }) => access !== 'anyone' && access.proofTo !== undefined);
  expect(asking.map(nameOf)).toContain('POST /console/:environment/keys');
  for (const route of asking) {
    const { status, body } = await send(browser, route);
    expect({ status, message: body.message }, nameOf(route)).toEqual({
      status: 428,
      message: expect.stringMatching(/^Enter your password again to [a-z][\w ]+\.$/i),
    });
  }
});

test('an environment that does not exist is not found', async () => {
  const { owner } = await openTestConsole();
  expect((await (await owner()).get('/console/staging/keys')).status).toBe(404);
});
