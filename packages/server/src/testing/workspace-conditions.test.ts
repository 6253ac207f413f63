import { expect, test } from 'vitest';
import { namesItsWorkspaces } from './workspace-conditions.ts';

test.each([
  'select * from "clients" where "workspace_id" = ? and "id" = ?',
  'select "c".* from "clients" as "c" inner join "groups" as "g" on "g"."workspace_id" = "c"."workspace_id" where "c"."workspace_id" = $1',
  'select "name" from "members" where "account_id" = ?',
  'insert into "clients" ("workspace_id", "id") values (?, ?)',
  'delete from "import_pieces" where ("workspace_id", "import_id") in ((?, ?))',
  'delete from "key_usage" where "hour" < $1',
])('a statement that says which workspace it means, or needs none, is accepted: %s', (statement) => {
  expect(namesItsWorkspaces(statement)).toBe(true);
});

test.each([
  'select * from "clients" where "id" = ?',
  'select * from "clients" where ("workspace_id" = ? or true) and "id" = ?',
  'select "c".* from "clients" as "c" inner join "groups" as "g" on true where "c"."workspace_id" = $1',
  'select * from clients where (clients.workspace_id = $1 or true)',
  'update "clients" set "name" = ?',
  'delete from "key_usage" where "key_id" = ?',
  'select "id" from "clients" where "workspace_id" = ? and "group_id" = (select "id" from "groups" where "name_folded" = ?)',
])('a statement that does not say so is found: %s', (statement) => {
  expect(namesItsWorkspaces(statement)).toBe(false);
});
