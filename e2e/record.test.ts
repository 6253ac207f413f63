import { writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { OPERATOR } from '../packages/server/src/domain/change.ts';
import { createGroup } from '../packages/server/src/domain/clients/manage-groups.ts';
import { openStore } from '../packages/server/src/store/open-store.ts';
import { exchange, list } from './api.ts';
import { Program } from './program.ts';

const OWNER = 'owner@firm.example';
const WHERE = ['--account', OWNER, '--environment', 'production'];
const CSV = 'email,client_name,client_type,group_name\nada@mail.example,Ada,individual,North\n';

test('changes by the command line are in the activity of the account, with the operator as the actor', async () => {
  const program = new Program();
  await program.json(['account', 'create', '--name', 'Firm', '--email', OWNER]);
  const key = await program.json<{ key_id: string }>(['key', 'create', ...WHERE, '--name', 'test']);
  await program.json(['key', 'revoke', key.key_id]);
  await program.json(['group', 'create', 'South', ...WHERE]);
  await program.json(['group', 'rename', 'South', 'West', ...WHERE]);
  const bob = ['--email', 'bob@mail.example', '--name', 'Bob', '--group', 'West'];
  const { reference_id: bobs } = await program.json<{ reference_id: string }>(['client', 'add', ...bob, ...WHERE]);
  await program.json(['client', 'correct', bobs, '--name', 'Robert', ...WHERE]);
  await program.json(['client', 'set-status', bobs, 'accepted', ...WHERE]);
  await program.json(['client', 'set-active', bobs, 'inactive', ...WHERE]);
  await program.json(['import', '-', ...WHERE], CSV);
  await program.json(['client', 'move', bobs, 'North', ...WHERE]);
  await program.json(['group', 'merge', 'North', '--into', 'West', ...WHERE]);
  await program.json(['group', 'create', 'Empty', ...WHERE]);
  await program.json(['group', 'delete', 'Empty', ...WHERE]);
  await program.json(['account', 'update', '--account', OWNER, '--require-decline-reason', 'yes']);
  expect((await program.run(['export', ...WHERE])).code).toBe(0);
  await program.json(['client', 'erase', bobs, ...WHERE]);
  await program.json(['sample', ...WHERE, '--clients', '5']);
  await program.json(['doctor', '--repair']);

  const store = openStore(`sqlite:${program.folder}/data/rollcall.db`);
  try {
    const accountId = (await store.accounts.list())[0]?.id ?? 0;
    const { entries } = await store.activity.read(accountId, {}, { offset: 0, limit: 100 });
    for (const { member, address } of entries) expect({ member, address }).toEqual({ member: 'operator', address: '' });
    expect(entries.reverse().map(({ action, subject, clients }) => [action, subject, clients])).toEqual([
      ['member.set-up', OWNER, null],
      ['key.created', expect.stringMatching(/^test \(rc_production_.*\)$/), null],
      ['key.revoked', expect.stringMatching(/^test \(rc_production_.*\)$/), null],
      ['group.created', 'South', null],
      ['group.renamed', 'South to West', null],
      ['client.added', bobs, null],
      ['client.changed', bobs, null],
      ['client.changed', bobs, null],
      ['client.changed', bobs, null],
      ['client.imported', 'stdin', 1],
      ['client.changed', bobs, null],
      ['group.merged', 'North into West', 2],
      ['group.created', 'Empty', null],
      ['group.deleted', 'Empty', null],
      ['account.updated', 'a reason is required to decline a client', null],
      ['client.exported', 'clients as CSV', 2],
      ['client.erased', bobs, null],
      ['client.imported', 'sample clients', 5],
      ['workspace.index-rebuilt', '', null],
      ['workspace.index-rebuilt', '', null],
    ]);
    const history = await store.clients.history(await store.accounts.workspaceId(accountId, 'production'), bobs);
    expect(new Set(history.map(({ actor }) => actor))).toEqual(new Set(['operator']));
  } finally {
    await store.close();
  }
});

test('the operator exports the log, signs where it ends, and finds what was changed since', async () => {
  const program = new Program();
  await program.json(['account', 'create', '--name', 'Firm', '--email', OWNER]);
  await program.json(['signing-key', 'rotate']);
  for (const name of ['North', 'South']) await program.json(['group', 'create', name, ...WHERE]);
  const checkpoint = `${program.folder}/checkpoint.json`;
  writeFileSync(checkpoint, (await program.run(['audit', 'checkpoint'])).stdout);
  const exported = await program.run(['audit', 'export']);
  const records = exported.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(records.map(({ chain, number, member, action }) => [chain, number, member, action])).toEqual([
    ['installation', 1, 'operator', 'installation.account-created'],
    ['installation', 2, 'operator', 'signing-key.made'],
    ['installation', 3, 'operator', 'signing-key.made'],
    ['installation', 4, 'operator', 'signing-key.rotated'],
    ['installation', 5, 'operator', 'signing-key.made'],
    ['account:1', 1, 'operator', 'member.set-up'],
    ['workspace:1', 1, 'operator', 'group.created'],
    ['workspace:1', 2, 'operator', 'group.created'],
  ]);
  const csv = await program.run(['audit', 'export', '--account', OWNER, '--format', 'csv']);
  expect(csv.stdout.split('\n')).toHaveLength(5);
  expect(csv.stdout).toMatch(/^chain,number,at,id,.*\naccount:1,1,/);

  const entries = `${program.folder}/activity.ndjson`;
  writeFileSync(entries, exported.stdout);
  const verify = (...more: string[]) => program.run(['audit', 'verify', ...more]);
  expect(await verify('--checkpoint', checkpoint)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /^No problems were found in 10 entries of 4 chains, compared with the checkpoint of /,
    ),
  });
  expect((await verify('--entries', entries, '--checkpoint', checkpoint)).stdout).toContain('8 exported entries');
  expect((await verify('--entries', entries)).stderr).toContain('only be verified with a --checkpoint');
  expect((await verify('--checkpoint', entries)).stderr).toContain('is not a checkpoint');
  expect((await verify('--checkpoint', 'nowhere.json')).stderr).toContain('nowhere.json cannot be read');

  const ofAccount = (await program.run(['audit', 'export', '--account', OWNER])).stdout;
  writeFileSync(entries, ofAccount);
  const ofOne = ['--entries', entries, '--checkpoint', checkpoint];
  expect(await verify(...ofOne)).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('installation is in the checkpoint and not in the file'),
  });
  expect((await verify(...ofOne, '--partial')).stdout).toContain('Not in the file: installation.');
  writeFileSync(entries, '');
  expect((await verify(...ofOne)).code, 'nothing at all').toBe(1);
  writeFileSync(entries, exported.stdout);
  const elsewhere = new Program();
  expect((await elsewhere.run(['audit', 'verify', ...ofOne, '--accept-unknown-key'])).stdout).toContain(
    'No problems were found in 8 exported entries',
  );
  const other = new Program();
  await other.json(['account', 'create', '--name', 'Other', '--email', OWNER]);
  const foreign = await other.run(['audit', 'verify', '--checkpoint', checkpoint]);
  expect(foreign).toMatchObject({ code: 1, stderr: expect.stringContaining('--accept-unknown-key') });

  const database = new DatabaseSync(`${program.folder}/data/rollcall.db`);
  database.exec(`update activity_entries set subject = 'East' where subject = 'North'`);
  database.close();
  const problem = 'activity log of workspace 1: entry 1 was changed, or replaced by another one';
  expect(await verify('--json')).toMatchObject({
    code: 1,
    stdout: `${JSON.stringify({ ok: false, problems: [problem], notes: [], checkpoint: null })}\n`,
  });
  expect((await program.run(['doctor'])).stdout).toContain(problem);
  writeFileSync(entries, exported.stdout.replace('"North"', '"East"'));
  expect((await verify('--entries', entries, '--checkpoint', checkpoint)).stdout).toMatch(new RegExp(`^${problem}\n`));
});

test('with ROLLCALL_AUDIT_DAYS, old entries are gone after a start, and the rest verifies', async () => {
  const program = new Program({ ROLLCALL_AUDIT_DAYS: '30' });
  await program.json(['account', 'create', '--name', 'Firm', '--email', OWNER]);
  const longAgo = { now: () => Date.parse('2026-01-31T09:30:00.000Z') };
  const store = openStore(`sqlite:${program.folder}/data/rollcall.db`);
  try {
    const workspaceId = await store.accounts.workspaceId((await store.accounts.list())[0]?.id ?? 0, 'production');
    for (const name of ['North', 'South'])
      await createGroup({ ...store, clock: longAgo }, { workspaceId, actor: OPERATOR }, name);
  } finally {
    await store.close();
  }
  await program.json(['group', 'create', 'East', ...WHERE]);
  const service = await program.serve();
  const exported = async () => (await program.run(['audit', 'export', '--account', OWNER])).stdout;
  await expect.poll(exported).not.toContain('"North"');
  expect(await exported()).toMatch(/"chain":"workspace:1","removed_up_to":2,.*\n.*"number":3,.*"subject":"East"/);
  expect(await program.run(['audit', 'verify'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(
      '2 old entries were removed from 1 chain (ROLLCALL_AUDIT_DAYS) and can no longer be verified.',
    ),
  });
  expect((await program.run(['doctor'])).code).toBe(0);
  await service.stop();
});

test('the operator sees what a key has requested, and is told that a secret is not an id', async () => {
  const program = new Program({ ROLLCALL_AUDIT_DAYS: '30' });
  await program.json(['account', 'create', '--name', 'Firm', '--email', OWNER]);
  const create = ['key', 'create', '--account', OWNER, '--environment', 'production', '--name', 'test'];
  const { key_id: id, api_key: secret } = await program.json<{ key_id: string; api_key: string }>(create);
  expect((await program.run(['key', 'listings', id])).stdout).toBe(
    'No requests for clients of this key are on record. Records are kept for today and the 30 days before.\n',
  );
  const { stderr } = await program.run(['key', 'listings', secret]);
  expect(stderr).toContain('This is the secret of an API key, and not its id.');
  expect(stderr).not.toContain(secret);
  expect(await program.run(['key', 'listings', id, '--from', '2026-02-30'])).toMatchObject({ code: 2 });

  const service = await program.serve();
  const { data } = await exchange(service.production, secret);
  await list(service.production, data.access_token);
  // What is not stored yet is stored when the service stops.
  await service.stop();
  const [day, kind] = [expect.stringMatching(/^\d{4}-\d\d-\d\d$/), 'list'];
  expect(await program.json(['key', 'listings', id])).toEqual([
    { day, kind, filter: '', calls: 1, last_at: expect.any(String) },
  ]);
  expect((await program.run(['key', 'listings', id, '--from', '2099-01-01'])).stdout).toContain('since 2099-01-01');
});
