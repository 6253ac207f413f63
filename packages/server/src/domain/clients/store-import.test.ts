import { expect, test } from 'vitest';
import { Uploads } from './store-import.ts';

test('one account cannot keep the others from sending files, and all together cannot send too many', async () => {
  const uploads = new Uploads();
  const end = Promise.withResolvers<void>();
  const running: Promise<void>[] = [];
  const send = (account: number) => {
    const upload = uploads.run(account, () => end.promise);
    running.push(upload.catch(() => {}));
    return Promise.race([upload.then(() => 'ended'), Promise.resolve('running')]);
  };
  for (let file = 0; file < 4; file++) expect(await send(1)).toBe('running');
  await expect(uploads.run(1, async () => {})).rejects.toMatchObject({ code: 'rate_limited' });
  for (const account of [2, 3, 4]) for (let file = 0; file < 4; file++) await send(account);
  await expect(uploads.run(5, async () => {})).rejects.toMatchObject({ code: 'rate_limited' });
  end.resolve();
  await Promise.all(running);
  await uploads.run(1, async () => {});
});
