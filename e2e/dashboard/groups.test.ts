import { expect, test } from 'vitest';
import { expectPage } from '../browser.ts';
import { openFirm, signedIn, useDashboard } from './firm.ts';

useDashboard();

const CSV = `email,client_name,client_type,group_name
ada@mail.example,Ada,individual,North
bob@mail.example,Bob,company,North
cleo@mail.example,Cleo,company,South
dan@mail.example,Dan,company,Zürich
eve@mail.example,Eve,company,Basel
`;

/** A firm with two clients in the group North, one in each of South, Zürich and Basel, and none in East. */
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
  await expectPage(dialog.getByRole('button', { name: 'Merge groups' })).toBeVisible();
  await expectPage(dialog.getByRole('combobox', { name: 'Merge into' })).toBeFocused();
  await expectPage(page.getByRole('option'), 'no list covers the text').toHaveCount(0);
  await page.keyboard.press('Control+Enter');
  await expectPage(dialog.getByText('Merge into must not be empty')).toBeVisible();
  const into = dialog.getByRole('combobox', { name: 'Merge into' });
  await into.click();
  await expectPage(page.getByRole('option', { name: 'North' })).toHaveCount(0);
  await page.getByRole('option', { name: 'South' }).click();
  await expectPage(dialog).toContainText('2 clients move to “South”, and “North” is removed.');
  await expectPage(dialog).toContainText('Programs that ask for “North” get no clients any more.');
  await expectPage(dialog.getByRole('button', { name: 'Merge into South' })).toBeVisible();

  await into.fill('nowhere');
  await page.keyboard.press('Control+Enter');
  await expectPage(dialog.getByText('Merge into must not be empty'), 'what was chosen before is gone').toBeVisible();
  await into.fill('out');
  await page.keyboard.press('Enter');
  await expectPage(into).toHaveValue('South');
  // In the open list, these keys take the group that is marked, and do not merge into the one that the field had.
  await page.keyboard.press('ArrowDown');
  await expectPage(page.getByRole('option')).toHaveCount(4);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Control+Enter');
  await expectPage(page.getByRole('option')).toHaveCount(0);
  await expectPage(into).not.toHaveValue('South');
  await expectPage(dialog.getByRole('button', { name: /^Merge into/ })).toBeEnabled();
  await into.fill('zur');
  await expectPage(page.getByRole('option')).toHaveText(['Zürich']);
  await expectPage(dialog.getByRole('button', { name: 'Merge groups' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expectPage(dialog.getByRole('button', { name: 'Merge into Zürich' })).toBeVisible();
  await page.keyboard.press('Enter');
  // Enter once too often merges nothing. A merge would have begun before the text of the field is read again.
  await expectPage(dialog.getByText('This cannot be undone.')).toBeVisible();
  await expectPage(into).toHaveValue('Zürich');
  await expectPage(into).toBeEditable();
  await page.keyboard.press('Control+Enter');
  await expectPage(page.getByRole('alert')).toHaveText('The group “North” was merged into “Zürich”.');
  await expectPage(page.getByRole('dialog')).toHaveCount(0);
  await expectPage(page.getByRole('row', { name: /^Zürich 3/ })).toBeVisible();
  await expectPage(page.getByRole('link', { name: 'North' })).toHaveCount(0);

  const manage = page.getByRole('button', { name: 'Manage East' });
  await manage.click();
  await page.getByRole('menuitem', { name: 'Rename…' }).click();
  await expectPage(page.getByRole('dialog').getByLabel('Name')).toBeFocused();
  await page.keyboard.press('Escape');
  await expectPage(manage).toBeFocused();
  await manage.click();
  await page.getByRole('menuitem', { name: 'Delete group…' }).click();
  // Enter once too often deletes nothing, and it can be seen why.
  await expectPage(page.getByRole('dialog').getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Control+Enter');
  await expectPage(page.getByText('The group “East” was deleted.')).toBeVisible();
  await expectPage(page.getByRole('link', { name: 'East' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Create group' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('West');
  await page.keyboard.press('Enter');
  await expectPage(page.getByText('The group “West” was created.')).toBeVisible();
  await page.goto('/production/settings/activity');
  await expectPage(page.getByText('Merged group “North” into “Zürich” (2 clients)')).toBeVisible();
  await expectPage(page.getByText('Deleted group “East”')).toBeVisible();
  await page.getByRole('link', { name: '“North” into “Zürich”' }).click();
  await expectPage(page.getByText('Group: Zürich')).toBeVisible();
  // Links of the activity log and of colleagues may still name it.
  await page.goto('/production/clients?group=North');
  await expectPage(page.getByText('There is no group “North” any more.')).toBeVisible();
});

test('wherever a group is chosen, it is found without its accent, and Enter takes the best suggestion', async () => {
  const { page } = await openGroups();
  await page.goto('/production/groups');
  await page.getByLabel('Search groups by name').fill('zur');
  await expectPage(page.locator('tbody td:first-child')).toHaveText(['Zürich']);

  await page.goto('/production/clients');
  const filter = page.getByRole('combobox', { name: 'Group', exact: true });
  await filter.click();
  await filter.fill('zur');
  await expectPage(page.getByRole('option')).toHaveText(['Zürich']);
  await page.keyboard.press('Enter');
  await expectPage(page.getByText('Group: Zürich')).toBeVisible();
  await page.keyboard.press('Enter');
  await filter.fill('bas');
  await page.keyboard.press('Enter');
  await expectPage(page.getByText('2 clients', { exact: true }), 'nothing was taken without typing').toBeVisible();
  await page.keyboard.press('Escape');

  await page.getByRole('checkbox', { name: 'Select Dan' }).check();
  await page.getByRole('combobox', { name: 'Move the selected clients to a group' }).fill('out');
  await page.keyboard.press('Enter');
  const asked = page.getByRole('dialog');
  await expectPage(asked).toContainText('South');
  await asked.getByRole('button', { name: 'Cancel' }).click();
  await page.keyboard.press('Escape');

  await page.getByRole('link', { name: 'Dan' }).click();
  await page.getByRole('button', { name: 'Edit' }).click();
  const group = asked.getByLabel('Group');
  await group.fill('Bas');
  await page.keyboard.press('Enter');
  await expectPage(group).toHaveValue('Basel');
  await page.keyboard.press('Enter');
  await expectPage(page.getByText('The changes to “Dan” were saved.')).toBeVisible();
  await page.getByRole('combobox', { name: 'Assignee' }).click();
  await expectPage(page.getByRole('option')).toHaveCount(1);
  await page.keyboard.type('firm.ex');
  await page.keyboard.press('Enter');
  await expectPage(page.getByText('Assignee: nobody → owner')).toBeVisible();
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
  await page.getByRole('button', { name: 'Merge into South' }).click();
  await expectPage(page.getByRole('alert')).toContainText(
    /Some clients of the group North have the same email as a client of South: .+ \(\d+-\d+\)\. Nothing was changed\./,
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
  // What is given up in the dialog is not in the field, either.
  await asked.getByLabel('Reason').fill('A mistake');
  await page.keyboard.press('Escape');
  await expectPage(page.getByLabel('Reason', { exact: true })).toHaveValue('No documents');
  await page.getByRole('button', { name: 'Decline' }).click();
  await expectPage(asked.getByLabel('Reason')).toHaveValue('No documents');
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
  await expectPage(reason).toHaveAttribute('required');
  await reason.fill('Too late');
  await page.getByRole('button', { name: 'Change 1 client' }).click();
  await expectPage(page.getByText('1 client changed to Declined.')).toBeVisible();
  const { results } = await firm.program.json<{ results: { reference_id: string }[] }>([
    ...['client', 'list', '--search', 'ada', ...where],
  ]);
  const shown = await firm.program.run(['client', 'show', results[0]?.reference_id ?? '', ...where]);
  expect(shown.stdout).toContain('request_status requested → declined; reason: Too late');
});
