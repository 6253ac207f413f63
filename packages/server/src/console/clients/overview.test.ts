import { expect, test } from 'vitest';
import { openTestConsole } from '../../testing/test-console.ts';
import type { OverviewRecord } from '../contract/clients/overview.ts';

test('the overview names the five largest groups, and also the sixth if it is the only other one with clients', async () => {
  const { owner } = await openTestConsole();
  const browser = await owner();
  /** Each of these groups has one client more than the next. */
  const addGroups = (...names: string[]) => {
    const rows = names.flatMap((group, index) =>
      names.slice(index).map((_, number) => `${group}${number}@mail.example,Ann Bell,individual,${group}`),
    );
    return browser.import('sandbox', ['email,client_name,client_type,group_name', ...rows, ''].join('\n'));
  };
  const named = async () => {
    const { data } = (await browser.get('/console/sandbox/overview')).body;
    const largest = data?.largest_groups as OverviewRecord['largest_groups'];
    return largest.map(({ group_name: name }) => name).join('');
  };
  await addGroups(...'ABCDEF');
  await browser.post('/console/sandbox/groups', { group_name: 'Empty' });
  expect(await named()).toBe('ABCDEF');
  await addGroups('G');
  expect(await named()).toBe('ABCDE');
});
