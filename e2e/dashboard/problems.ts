import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { inject } from 'vitest';

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'];
const COLOURS = ['color-contrast', 'link-in-text-block'];

/**
 * What is wrong on the page, or in a part of it, for people with poor sight or without a mouse. All rules are checked in the light
 * theme, and those about colours in the dark one too. How a page looks does not depend on the engine, so SQLite's tests look.
 */
export async function problemsOn(page: Page, part = 'html'): Promise<string[]> {
  if (inject('engine') === 'postgres') return [];
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await axe(page, part).withTags(WCAG).analyze();
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await axe(page, part).withRules(COLOURS).analyze();
  await page.emulateMedia({ colorScheme: null });
  return [...light.violations, ...dark.violations].flatMap(({ id, nodes }) =>
    nodes.map(({ target }) => `${page.url()}: ${id} at ${target.join(' ')}`),
  );
}

/**
 * Without frames of other sites, axe needs no page of its own to gather what it has found, which takes a third of the time. It
 * need not say where everything is that is right. The columns of a chart are left out: many of them are too narrow to point at,
 * and the table below the chart says the same.
 */
function axe(page: Page, part: string): AxeBuilder {
  return new AxeBuilder({ page })
    .setLegacyMode(true)
    .options({ resultTypes: ['violations'] })
    .include(part)
    .exclude('.columns');
}
