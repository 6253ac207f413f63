import { expect, test } from 'vitest';
import { expectPage, visitor } from '../browser.ts';
import { PASSWORD } from '../firm.ts';
import { openFirm, useDashboard } from './firm.ts';

useDashboard();

const HOME = '/production/overview';

const CASES = [
  ['//evil.example/', HOME],
  ['/\\evil.example/', HOME],
  ['/\t/evil.example/', HOME],
  ['https:evil.example', HOME],
  ['https://evil.example/', HOME],
  ['javascript:document.title="run"', HOME],
  ['java\tscript:document.title="run"', HOME],
  ['/.//evil.example/', '//evil.example/'],
  ['/sandbox/groups?x=1', '/sandbox/groups'],
] as const;

test('signing in never leads away from the dashboard, whatever the address asks for', {
  timeout: 240_000,
}, async () => {
  const { service, owner } = await openFirm();
  const page = await visitor(service.dashboard);
  const elsewhere: string[] = [];
  await page.context().route(
    (url) => url.origin !== service.dashboard,
    (route) => {
      elsewhere.push(route.request().url());
      return route.abort();
    },
  );
  for (const [next, path] of CASES) {
    await page.context().clearCookies();
    await page.goto(`/sign-in?next=${encodeURIComponent(next)}`);
    await page.getByLabel('Email').fill(owner);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL((url) => url.origin === service.dashboard && url.pathname === path);
    await expectPage(page.getByRole('heading', { level: 1, name: /^(?!Sign in)/ })).toBeVisible();
    expect(await page.title(), next).not.toBe('run');
    expect(elsewhere, next).toEqual([]);
  }
});
