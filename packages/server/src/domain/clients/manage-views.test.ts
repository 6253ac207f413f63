import { expect, test } from 'vitest';
import { aWorkspace, TestClock } from '../../testing/builders.ts';
import { openTestStore } from '../../testing/test-store.ts';
import { actorOf } from '../members/sign-in.ts';
import { changeView, type ManageViewsDeps, saveView } from './manage-views.ts';

test('a view that was removed while it is changed does not look as if it were saved', async () => {
  const store = await openTestStore();
  const clock = new TestClock();
  const { accountId, workspaceId } = await aWorkspace(store, clock, 'owner@firm.example');
  const [owner] = await store.members.list(accountId);
  if (!owner) throw new Error('The owner is missing.');
  const place = { actor: actorOf(owner, { address: '' }), workspaceId, environment: 'production' } as const;
  const { id } = await saveView({ ...store, clock }, place, { name: 'Ada', filters: {}, isShared: false });
  // As if a client had been erased between the two.
  const changeAccount: ManageViewsDeps['changeAccount'] = (context, work) =>
    store.changeAccount(context, (change) => {
      const list = async (...of: Parameters<typeof change.views.list>) => {
        const views = await change.views.list(...of);
        await change.views.remove(workspaceId, id);
        return views;
      };
      return work({ ...change, views: { ...change.views, list } });
    });
  const changed = changeView({ changeAccount, clock }, place, id, { name: 'Eve' });
  await expect(changed).rejects.toMatchObject({ code: 'not_found' });
});
