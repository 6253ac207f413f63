import { expect, test } from 'vitest';
import { TestClock } from '../../testing/builders.ts';
import { openTestStore } from '../../testing/test-store.ts';
import { prepareSecret } from '../manage-secret.ts';
import { InstallationSecret } from '../sealed-text.ts';
import { KnownDevices } from './known-devices.ts';

async function openDevices() {
  const store = await openTestStore();
  await prepareSecret({ ...store, clock: new TestClock() });
  return store;
}

const a = { accountId: 1, email: 'a@firm.example' };
const b = { accountId: 1, email: 'B@firm.example' };
const c = { accountId: 1, email: 'c@firm.example' };
const aMember = (accountId: number) => ({ accountId, email: 'a@firm.example' });

test('a device is known for the members who have signed in with it, and for no others', async () => {
  const { knownDevices } = await openDevices();
  const note = await knownDevices.remember(undefined, a);
  const both = await knownDevices.remember(note, b);
  const id = await knownDevices.find(both, a);
  expect(id).toMatch(/^[\w-]{22}$/);
  expect(await knownDevices.find(both, b)).toBe(id);
  expect(await knownDevices.find(both, c)).toBeUndefined();
  expect(await knownDevices.find(note, b)).toBeUndefined();
  expect(await knownDevices.find(both, { ...b, accountId: 2 }), 'in another account').toBeUndefined();
  expect(both).not.toContain('firm');
});

test('a note that somebody else has made, changed or put together is worth nothing', async () => {
  const { knownDevices, sealed } = await openDevices();
  const [mine = '', theirs = ''] = await Promise.all([a, b].map((member) => knownDevices.remember(undefined, member)));
  const [myId, mySignature] = mine.split('.');
  const [theirId, theirSignature] = theirs.split('.');
  const forger = new KnownDevices({
    secrets: { byId: () => InstallationSecret.generate() } as never,
    sealed,
  });
  const forged = await forger.remember(undefined, b);
  const notes = [
    forged,
    `${myId}.${theirSignature}`,
    `${theirId}.${mySignature}`,
    `${theirs}x`,
    theirId,
    '',
    '.',
    `${'A'.repeat(22)}.`,
  ];
  for (const note of notes) expect(await knownDevices.find(note, b), note).toBeUndefined();
  expect(await knownDevices.find(theirs, b)).toBe(theirId);
});

test('a note stays short, however many members sign in with a device', async () => {
  const { knownDevices } = await openDevices();
  let note: string | undefined;
  for (let number = 0; number < 20; number++) note = await knownDevices.remember(note, aMember(number));
  expect(note?.length).toBeLessThan(500);
  expect(await knownDevices.find(note, aMember(19))).toBeDefined();
  expect(await knownDevices.find(note, aMember(12))).toBeDefined();
  expect(await knownDevices.find(note, aMember(11))).toBeUndefined();
});
