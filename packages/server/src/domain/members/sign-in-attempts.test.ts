import { expect, inject, test } from 'vitest';
import { newDatabase, openTestStore, openTestStoreAt } from '../../testing/test-store.ts';
import { type SignInAttempts, sourcesOfDevice, sourcesOfMember, sourcesOfVisitor } from './sign-in-attempts.ts';

const NOW = 1_763_164_954_692;
const REFUSED = { code: 'rate_limited', message: expect.stringContaining('Too many attempts') };

function fail(attempts: SignInAttempts, email: string, address = '192.0.2.1', now = NOW) {
  return attempts.begin(sourcesOfVisitor(email, address), now);
}

async function failOften(attempts: SignInAttempts, times: number, email: string, address?: string): Promise<void> {
  for (let failure = 0; failure < times; failure++) await fail(attempts, email, address);
}

test('failures are counted for all processes together, however many guesses are sent at the same time', async () => {
  const url = await newDatabase(inject('engine'));
  const processes = [await openTestStoreAt(url), await openTestStoreAt(url)];
  const guesses = Array.from({ length: 40 }, (_, number) =>
    fail((processes[number % 2] as (typeof processes)[0]).attempts, 'victim@firm.example', `192.0.2.${number}`),
  );
  const counted = (await Promise.allSettled(guesses)).filter(({ status }) => status === 'fulfilled');
  // Five are free, and the sixth begins the first wait.
  expect(counted).toHaveLength(6);
  for (const { attempts } of processes) {
    await expect(fail(attempts, 'victim@firm.example')).rejects.toMatchObject(REFUSED);
    await expect(fail(attempts, 'other@firm.example')).resolves.toBeDefined();
  }
});

test('every failure doubles the wait, up to a minute for an email, and after an hour it is forgotten', async () => {
  const { attempts } = await openTestStore();
  await failOften(attempts, 5, 'a@firm.example');
  let now = NOW;
  const waits: number[] = [];
  for (let failure = 0; failure < 8; failure++) {
    // From another network each time, so that only the email has to wait.
    await fail(attempts, 'a@firm.example', `198.51.100.${failure}`, now);
    const refusal = await fail(attempts, 'a@firm.example', '203.0.113.1', now).catch((error) => error);
    waits.push(refusal.retryAfterSeconds);
    now += refusal.retryAfterSeconds * 1000;
  }
  expect(waits).toEqual([2, 4, 8, 16, 32, 60, 60, 60]);
  // The last wait was a minute.
  now += 3_540_000;
  for (let failure = 0; failure < 5; failure++) await fail(attempts, 'a@firm.example', '203.0.113.2', now);
  await attempts.removeOld(now + 3_600_001);
  await failOften(attempts, 5, 'a@firm.example', '203.0.113.2');
});

test('the addresses that one IPv6 subscriber can use count as one, and another subscriber is not slowed down', async () => {
  const { attempts } = await openTestStore();
  for (let number = 0; number < 6; number++)
    await fail(attempts, `member${number}@firm.example`, `2001:db8:0:7::${number + 1}`);
  await expect(fail(attempts, 'x@firm.example', '2001:db8:0:7:ffff::1')).rejects.toMatchObject(REFUSED);
  await expect(fail(attempts, 'x@firm.example', '2001:db8:0:8::1')).resolves.toBeDefined();
});

test('a success clears the failures of its email, but not those of others from its network', async () => {
  const { attempts } = await openTestStore();
  await failOften(attempts, 4, 'a@firm.example');
  await (await fail(attempts, 'a@firm.example')).succeeded();
  await failOften(attempts, 1, 'a@firm.example');
  // The network has five failures now.
  await fail(attempts, 'b@firm.example');
  await expect(fail(attempts, 'c@firm.example')).rejects.toMatchObject(REFUSED);
});

test('an attempt that is forgiven leaves nothing, whatever others do in the meantime', async () => {
  const { attempts } = await openTestStore();
  const forgiven = await Promise.all([1, 2, 3].map(() => fail(attempts, 'a@firm.example')));
  await failOften(attempts, 2, 'a@firm.example');
  for (const attempt of forgiven) await attempt.forgiven();
  await failOften(attempts, 3, 'a@firm.example');
  await fail(attempts, 'a@firm.example');
  await expect(fail(attempts, 'a@firm.example')).rejects.toMatchObject(REFUSED);
});

test('a device that is known, and a member who is signed in, are counted by themselves', async () => {
  const { attempts } = await openTestStore();
  await failOften(attempts, 6, 'a@firm.example');
  for (const sources of [sourcesOfDevice(1, 'device'), sourcesOfMember(1)]) {
    for (let failure = 0; failure < 6; failure++) await attempts.begin(sources, NOW);
    await expect(attempts.begin(sources, NOW)).rejects.toMatchObject(REFUSED);
  }
  await expect(attempts.begin(sourcesOfDevice(1, 'other'), NOW)).resolves.toBeDefined();
  await expect(attempts.begin(sourcesOfDevice(2, 'device'), NOW)).resolves.toBeDefined();
});
