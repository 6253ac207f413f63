import { expect, test } from 'vitest';
import { NetworkList } from '../domain/network-address.ts';
import { type Browser, openTestConsole } from '../testing/test-console.ts';

const OWNER = 'owner@firm.example';
const FORGED = { 'x-forwarded-for': '198.51.100.1', forwarded: 'for=198.51.100.1', 'x-real-ip': '198.51.100.1' };

/** Signs in with these headers, and returns the addresses of the activity entry and of the session. */
async function addressesAfterSignIn(visitor: Browser, headers: Record<string, string>) {
  const form = { email: OWNER, password: 'otters juggle seven lanterns' };
  expect(await visitor.send('POST', '/console/session', form, headers)).toMatchObject({ status: 200 });
  const activity = await visitor.get('/console/activity');
  const profile = await visitor.get('/console/profile');
  const entries = activity.body.data?.results as { address: string }[] | undefined;
  const sessions = profile.body.data?.sessions as { address: string; is_current: boolean }[] | undefined;
  return { activity: entries?.[0]?.address, session: sessions?.find(({ is_current }) => is_current)?.address };
}

test('a forged address changes neither the activity log nor the list of signed-in browsers', async () => {
  const testConsole = await openTestConsole({ trustedProxies: NetworkList.parse('10.0.0.0/8') });
  await testConsole.owner(OWNER);
  const addresses = await addressesAfterSignIn(testConsole.browser(), FORGED);
  expect(addresses).toEqual({ activity: '127.0.0.1', session: '127.0.0.1' });
});

test('behind a trusted proxy, the address of the caller is recorded', async () => {
  const testConsole = await openTestConsole({ trustedProxies: NetworkList.parse('127.0.0.0/8') });
  await testConsole.owner(OWNER);
  const headers = { 'x-forwarded-for': '198.51.100.1, 192.0.2.7' };
  const addresses = await addressesAfterSignIn(testConsole.browser(), headers);
  expect(addresses).toEqual({ activity: '192.0.2.7', session: '192.0.2.7' });
});

test('behind a trusted proxy, the failures of one caller do not slow down another', async () => {
  const testConsole = await openTestConsole({ trustedProxies: NetworkList.parse('127.0.0.1') });
  const guess = async (address: string, number: number) => {
    const form = { email: `somebody${number}@firm.example`, password: 'a wrong password' };
    const headers = { 'x-forwarded-for': address };
    return (await testConsole.browser().send('POST', '/console/session', form, headers)).status;
  };
  for (let number = 0; number < 6; number++) expect(await guess('192.0.2.1', number)).toBe(401);
  expect(await guess('192.0.2.1', 6)).toBe(429);
  expect(await guess('192.0.2.2', 7)).toBe(401);
});
