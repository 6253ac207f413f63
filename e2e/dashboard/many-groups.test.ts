import { expect, test } from 'vitest';
import { expectPage } from '../browser.ts';
import { openFirm, signedIn, useDashboard } from './firm.ts';

useDashboard();

test('every one of many groups can be found, in the filter and on the page of groups', async () => {
  const firm = await openFirm({ clients: 500, groups: 230 });
  const list = ['group', 'list', '--account', firm.owner, '--environment', 'sandbox'];
  const groups = await firm.program.json<{ group_name: string }[]>(list);
  const { compare } = new Intl.Collator('en', { numeric: true });
  const last =
    groups
      .map(({ group_name: name }) => name)
      .sort(compare)
      .at(-1) ?? '';
  expect(groups.length).toBeGreaterThan(150);
  const page = await signedIn(firm);

  await page.goto('/sandbox/clients');
  const filter = page.getByRole('combobox', { name: 'Group', exact: true });
  await filter.click();
  const options = page.getByRole('option');
  await expectPage(options.first()).toBeVisible();
  await expect
    .poll(async () => {
      await options.last().scrollIntoViewIfNeeded();
      return options.count();
    })
    .toBe(groups.length);
  expect((await options.last().innerText()).trim()).toBe(last);
  await filter.fill(last);
  await page.getByRole('option', { name: last, exact: true }).click();
  await expectPage(page.getByText(`Group: ${last}`)).toBeVisible();

  await page.goto('/sandbox/groups');
  await expectPage(page.getByText(`${groups.length} groups`)).toBeVisible();
  await expectPage(page.getByRole('row')).toHaveCount(26);
  await page.getByRole('button', { name: `Page ${Math.ceil(groups.length / 25)}` }).click();
  await expectPage(page.getByRole('link', { name: last, exact: true })).toBeVisible();
  const find = page.getByLabel('Search groups by name');
  await find.fill(last.toUpperCase());
  await expectPage(page.getByText('1 group', { exact: true })).toBeVisible();
  await expectPage(page).toHaveURL(/search=/);
  await page.getByRole('link', { name: 'Groups', exact: true }).click();
  await expectPage(page.getByText(`${groups.length} groups`)).toBeVisible();
  await expectPage(find).toHaveValue('');
  await page.goBack();
  await expectPage(find).toHaveValue(last.toUpperCase());
  await expectPage(page.getByText('1 group', { exact: true })).toBeVisible();
  await page.getByRole('link', { name: last, exact: true }).click();
  await expectPage(page.getByText(`Group: ${last}`)).toBeVisible();
});

test('typing on starts a new search and cancels the one before', async () => {
  const page = await signedIn(await openFirm({ clients: 40 }));
  await page.goto('/sandbox/clients');
  await expectPage(page.getByText('40 clients')).toBeVisible();
  const asked: string[] = [];
  const cancelled: string[] = [];
  const searchIn = (address: string) => new URL(address).searchParams.get('search');
  page.on('requestfailed', (request) => cancelled.push(searchIn(request.url()) ?? ''));
  // Every search is held back until the last letter has been typed.
  const { promise: typed, resolve: allTyped } = Promise.withResolvers<void>();
  await page.route('**/console/sandbox/clients?*', async (route) => {
    asked.push(searchIn(route.request().url()) ?? '');
    await typed;
    await route.continue().catch(() => {});
  });
  const field = page.getByLabel('Search by words of the name, email or IDs');
  for (const [index, letters] of ['m', 'ma', 'mail', 'mail.example'].entries()) {
    await field.fill(letters);
    await expect.poll(() => asked.length).toBe(index + 1);
  }
  await expect.poll(() => cancelled).toEqual(['m', 'ma', 'mail']);
  allTyped();
  await expectPage(page.getByText('40 clients')).toBeVisible();
  expect(asked).toEqual(['m', 'ma', 'mail', 'mail.example']);
});
