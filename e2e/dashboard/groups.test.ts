import { expect, test } from 'vitest';
import { expectPage } from '../browser.ts';
import { openFirm, signedIn, useDashboard } from './firm.ts';

useDashboard();

const CSV = `email,client_name,client_type,group_name
ada@mail.example,Ada,individual,North
bob@mail.example,Bob,company,North
cleo@mail.example,Cleo,company,South
`;

/** A firm with two clients in the group North, one in South, and none in East. */
async function openGroups() {
  const firm = await openFirm();
  const where = ['--account', firm.owner, '--environment', 'production'];
  await firm.program.json(['import', '-', ...where, '--format', 'csv'], CSV);
  await firm.program.json(['group', 'create', 'East', ...where]);
  return { firm, where, page: await signedIn(firm) };
}

test('a group is merged into another after it was said how many clients move, and an empty one is deleted', async () => {
  const { page } = await openGroups();
  await page.goto('/production/groups');
  await page.getByRole('button', { name: 'Manage North' }).click();
  await expectPage(page.getByRole('menuitem', { name: 'Delete group…' })).toHaveCount(0);
  await page.getByRole('menuitem', { name: 'Merge into…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Merge group “North”' });
  await expectPage(dialog).toContainText('2 clients move to the other group, and “North” is removed.');
  await dialog.getByRole('button', { name: 'Merge groups' }).click();
  await expectPage(dialog.getByText('Merge into must not be empty')).toBeVisible();
  await dialog.getByRole('combobox', { name: 'Merge into' }).click();
  await expectPage(page.getByRole('option', { name: 'North' })).toHaveCount(0);
  await page.getByRole('option', { name: 'South' }).click();
  await dialog.getByRole('button', { name: 'Merge groups' }).click();
  await expectPage(page.getByRole('dialog')).toHaveCount(0);
  await expectPage(page.getByRole('row', { name: /^South 3/ })).toBeVisible();
  await expectPage(page.getByRole('link', { name: 'North' })).toHaveCount(0);

  await page.getByRole('button', { name: 'Manage East' }).click();
  await page.getByRole('menuitem', { name: 'Delete group…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete group' }).click();
  await expectPage(page.getByRole('link', { name: 'East' })).toHaveCount(0);
  await page.goto('/production/settings/activity');
  await expectPage(page.getByText('Merged group “North” into “South” (2 clients)')).toBeVisible();
  await expectPage(page.getByText('Deleted group “East”')).toBeVisible();
});

test('a merge that is not possible names the clients that have the same email', async () => {
  const { firm, where, page } = await openGroups();
  const again = ['client', 'add', '--email', 'ADA@mail.example', '--name', 'Ada', '--group', 'South', ...where];
  await firm.program.json(again);
  await page.goto('/production/groups');
  await page.getByRole('button', { name: 'Manage North' }).click();
  await page.getByRole('menuitem', { name: 'Merge into…' }).click();
  await page.getByRole('combobox', { name: 'Merge into' }).click();
  await page.getByRole('option', { name: 'South' }).click();
  await page.getByRole('button', { name: 'Merge groups' }).click();
  await expectPage(page.getByRole('alert')).toContainText(
    /Some clients of the group North have the same email as a client of South: \d+-\d+\. Nothing was changed\./,
  );
});

test('an owner requires a reason to decline a client, which is then in the history', async () => {
  const { firm, where, page } = await openGroups();
  await page.goto('/production/settings/members');
  const required = page.getByRole('checkbox', { name: 'A reason is required to decline a client' });
  // It shows what is stored, so it changes when the answer has arrived.
  await required.click();
  await expectPage(required).toBeEnabled();
  await expectPage(required).toBeChecked();

  await page.goto('/production/clients');
  await page.getByRole('link', { name: 'Cleo' }).click();
  await page.getByLabel('Reason', { exact: true }).fill('No documents');
  await page.getByRole('button', { name: 'Decline' }).click();
  const asked = page.getByRole('dialog', { name: 'Decline Cleo?' });
  await expectPage(asked.getByLabel('Reason'), 'what was typed before').toHaveValue('No documents');
  await asked.getByLabel('Reason').fill('');
  await page.keyboard.press('Control+Enter');
  await expectPage(asked.getByText('Reason is missing: the account requires one to decline a client.')).toBeVisible();
  await page.keyboard.type('No documents at all');
  await page.keyboard.press('Control+Enter');
  await expectPage(page.getByRole('listitem').filter({ hasText: 'Requested → Declined' })).toContainText(
    'Reason: No documents at all',
  );
  await expectPage(page.getByRole('alert').filter({ hasText: 'Declined: Cleo.' })).toContainText('Undo');
  await expectPage(page.getByRole('heading', { level: 2, name: 'Status' })).toBeFocused();
  await expectPage(page.getByLabel('Reason', { exact: true })).toHaveValue('');

  await page.goto('/production/clients');
  await page.getByRole('checkbox', { name: 'Select Ada' }).check();
  await page.getByRole('combobox', { name: 'Set request status of the selected clients' }).click();
  await page.getByRole('option', { name: 'Declined' }).click();
  await page.getByRole('button', { name: 'Change 1 client' }).click();
  await expectPage(page.getByText('Reason is missing: the account requires one to decline a client.')).toBeVisible();
  const reason = page.getByRole('dialog').getByLabel('Reason');
  await expectPage(reason).toHaveAttribute('aria-required', 'true');
  await reason.fill('Too late');
  await page.getByRole('button', { name: 'Change 1 client' }).click();
  await expectPage(page.getByText('1 client changed to Declined.')).toBeVisible();
  const { results } = await firm.program.json<{ results: { reference_id: string }[] }>([
    ...['client', 'list', '--search', 'ada', ...where],
  ]);
  const shown = await firm.program.run(['client', 'show', results[0]?.reference_id ?? '', ...where]);
  expect(shown.stdout).toContain('request_status requested → declined; reason: Too late');
});
