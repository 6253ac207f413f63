import { expect, test } from 'vitest';
import { structureProblems } from './check-structure.ts';

const SERVER = 'packages/server/src';

/** The problems that the check finds in a file with one import. */
function problemsOf(path: string, imported: string): string[] {
  return structureProblems(new Map([[path, `import { something } from '${imported}';\n`]]));
}

test.each([
  [
    'the domain imports the store',
    'domain/clients/group.ts',
    '../../store/tables.ts',
    'domain/ may import only domain',
  ],
  ['the store imports http', 'store/stamp.ts', '../http/envelope.ts', 'store/ may import only store, domain'],
  ['the API imports the console', 'api/app.ts', '../console/routes.ts', 'api/ may import only api, domain, http'],
  ['the API imports the store', 'api/app.ts', '../store/open-store.ts', 'api/ may import only'],
  ['files imports the store', 'files/formula.ts', '../store/tables.ts', 'files/ may import only files, domain'],
  ['a command uses the query builder', 'cli/doctor.ts', 'kysely', 'only store may use it'],
  ['the domain uses the framework', 'domain/text.ts', 'fastify', 'only http, api, console may use it'],
  [
    'the contract imports http',
    'console/contract/fields.ts',
    '../../http/query.ts',
    'may import only domain and files',
  ],
  [
    'one subject imports a file of another',
    'domain/members/session.ts',
    '../credentials/api-key.ts',
    'import from its index.ts',
  ],
  [
    'a file of no subject imports one of a subject',
    'service.ts',
    './domain/clients/group.ts',
    'import from its index.ts',
  ],
  [
    'the server imports the dashboard',
    'service.ts',
    '../../dashboard/src/api.ts',
    'may not import from the other packages',
  ],
])('is refused: %s', (_what, path, imported, reason) => {
  expect(problemsOf(`${SERVER}/${path}`, imported)).toEqual([expect.stringContaining(reason)]);
});

test.each([
  [
    'a store of a subject imports the domain of the same subject',
    'store/clients/groups.ts',
    '../../domain/clients/group.ts',
  ],
  ['one subject imports the index of another', 'domain/members/session.ts', '../credentials/index.ts'],
  ['a file of a subject imports a shared file', 'cli/clients/import.ts', '../../domain/failure.ts'],
  ['files/ imports from the folder of the clients', 'files/columns.ts', '../domain/clients/client-columns.ts'],
])('is accepted: %s', (_what, path, imported) => {
  expect(problemsOf(`${SERVER}/${path}`, imported)).toEqual([]);
});

test('a dynamic import and a re-export count as imports', () => {
  for (const text of ["export { x } from '../store/tables.ts';\n", "const x = await import('../store/tables.ts');\n"]) {
    expect(structureProblems(new Map([[`${SERVER}/domain/text.ts`, text]]))).toHaveLength(1);
  }
});

test('the dashboard may import only the contract from the server, and no Node modules', () => {
  const page = 'packages/dashboard/src/clients/clients-page.tsx';
  expect(problemsOf(page, '#contract/clients/clients.ts')).toEqual([]);
  expect(problemsOf(page, '../../../server/src/config.ts')).toHaveLength(1);
  expect(problemsOf(page, 'node:fs')).toHaveLength(1);
});

test('a file that belongs to a subject must not be directly in domain or store', () => {
  const sources = new Map([
    [`${SERVER}/domain/invoice.ts`, ''],
    [`${SERVER}/store/invoices.ts`, ''],
    [`${SERVER}/domain/text.ts`, ''],
  ]);
  expect(structureProblems(sources)).toEqual([
    expect.stringContaining('domain/invoice.ts is directly in domain/'),
    expect.stringContaining('store/invoices.ts is directly in store/'),
  ]);
});

test('the browser loads nothing of Node through the contract, however many files are in between', () => {
  const contract = `${SERVER}/console/contract/members/session.ts`;
  const sources = (clause: string) =>
    new Map([
      [contract, `${clause} from '../../../domain/members/session.ts';\n`],
      [`${SERVER}/domain/members/session.ts`, "import { hashSecret } from '../secret.ts';\n"],
      [`${SERVER}/domain/secret.ts`, "import { createHash } from 'node:crypto';\n"],
    ]);
  expect(structureProblems(sources('export { SESSION_MAX_MS }'))).toEqual([
    expect.stringContaining('domain/secret.ts imports node:crypto: the browser loads this file'),
  ]);
  expect(structureProblems(sources('import type { Session }'))).toEqual([]);
  expect(structureProblems(sources('import { type Session, type Sessions }'))).toEqual([]);
});

test.each([
  ['a deeper index', 'domain/members/session.ts', '../../store/clients/client-index/index.ts'],
  ['a test', 'domain/clients/group.ts', '../text.test.ts'],
  ['what only tests use', 'service.ts', './testing/builders.ts'],
  ['a package of this repository by its name', 'service.ts', '@rollcall/client'],
  ['a part of a package', 'domain/text.ts', 'pino/file'],
  ['the contract by a detour', 'domain/text.ts', '#contract/../authorise.ts'],
])('is refused, too: %s', (_what, path, imported) => {
  expect(problemsOf(`${SERVER}/${path}`, imported)).not.toEqual([]);
});

test('a new folder in domain or store has to be the folder of a subject', () => {
  expect(structureProblems(new Map([[`${SERVER}/domain/invoices/invoice.ts`, '']]))).toEqual([
    expect.stringContaining('domain/invoices/, which is the folder of no subject'),
  ]);
  expect(structureProblems(new Map([[`${SERVER}/store/engines/engine.ts`, '']]))).toEqual([]);
});
