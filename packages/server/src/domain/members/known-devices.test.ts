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

test('a device is known for the emails that it has signed in with, and for no others', async () => {
  const { knownDevices } = await openDevices();
  const note = await knownDevices.remember(undefined, 'a@firm.example');
  const both = await knownDevices.remember(note, 'b@firm.example');
  const id = await knownDevices.find(both, 'a@firm.example');
  expect(id).toMatch(/^[\w-]{22}$/);
  expect(await knownDevices.find(both, 'b@firm.example')).toBe(id);
  expect(await knownDevices.find(both, 'c@firm.example')).toBeUndefined();
  expect(await knownDevices.find(note, 'b@firm.example')).toBeUndefined();
  expect(both).not.toContain('firm');
});

test('a note that somebody else has made, changed or put together is worth nothing', async () => {
  const { knownDevices, sealed } = await openDevices();
  const [mine = '', theirs = ''] = await Promise.all(
    ['a@firm.example', 'b@firm.example'].map((email) => knownDevices.remember(undefined, email)),
  );
  const [myId, mySignature] = mine.split('.');
  const [theirId, theirSignature] = theirs.split('.');
  const forger = new KnownDevices({
    secrets: { byId: () => InstallationSecret.generate() } as never,
    sealed,
  });
  const forged = await forger.remember(undefined, 'b@firm.example');
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
  for (const note of notes) expect(await knownDevices.find(note, 'b@firm.example'), note).toBeUndefined();
  expect(await knownDevices.find(theirs, 'b@firm.example')).toBe(theirId);
});

test('a note stays short, however many emails a device signs in with', async () => {
  const { knownDevices } = await openDevices();
  let note: string | undefined;
  for (let number = 0; number < 20; number++) note = await knownDevices.remember(note, `${number}@firm.example`);
  expect(note?.length).toBeLessThan(500);
  expect(await knownDevices.find(note, '19@firm.example')).toBeDefined();
  expect(await knownDevices.find(note, '12@firm.example')).toBeDefined();
  expect(await knownDevices.find(note, '11@firm.example')).toBeUndefined();
});
