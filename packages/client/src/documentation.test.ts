import { fileURLToPath } from 'node:url';
import { API, type Checker, type Symbol as TypeSymbol } from 'typescript/unstable/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSettings } from './settings.ts';
import { readWatchSettings } from './watch.ts';

interface Member {
  name: string;
  documentation: string;
  optional: boolean;
  default: string | undefined;
}

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const OPTIONAL = 1 << 24;

let api: API;
let members: Member[];
beforeAll(() => {
  api = new API();
  const config = fileURLToPath(new URL('../tsconfig.json', import.meta.url));
  const project = api.updateSnapshot({ openProjects: [config] }).getProject(config);
  const entry = project?.program.getSourceFile(`${FOLDER}index.ts`);
  if (!project || !entry) throw new Error('The package does not compile.');
  members = membersOfExports(project.checker, project.checker.getSymbolAtLocation(entry));
});
afterAll(() => api.close());

/** All exports and their own members, as an editor shows them. */
function membersOfExports(checker: Checker, module: TypeSymbol | undefined): Member[] {
  if (!module) throw new Error('The package exports nothing.');
  return checker.getExportsOfModule(module).flatMap((alias) => {
    const exported = checker.getAliasedSymbol(alias);
    const fields = checker
      .getPropertiesOfType(checker.getDeclaredTypeOfSymbol(exported))
      .filter(({ name }) => !name.includes('#'))
      .filter(({ declarations }) => declarations.some(({ path }) => path.startsWith(FOLDER)));
    return [exported, ...fields].map((symbol) => ({
      name: symbol === exported ? alias.name : `${alias.name}.${symbol.name}`,
      documentation: checker.getDocumentationCommentOfSymbol(symbol),
      optional: (symbol.flags & OPTIONAL) !== 0,
      default: checker.getJsDocTagsOfSymbol(symbol).find(({ name }) => name === 'defaultValue')?.text,
    }));
  });
}

test('every export of the package, and each of its options and fields, has documentation in an editor', () => {
  const names = members.map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining(['Rollcall.clients', 'RollcallOptions.timeoutMs', 'Client.email', 'ClientList.pages']),
  );
  expect(names.length).toBeGreaterThan(90);
  expect(members.filter(({ documentation }) => documentation.trim() === '')).toEqual([]);
});

test('every optional member documents its default', () => {
  // These are described by the service: when a field is there, and what it is for a new client if it is not given.
  const described = /^(Client|NewClient|ClientPatch|ClientByExternalId)\./;
  const optional = members.filter((member) => member.optional && !described.test(member.name));
  expect(optional.length).toBeGreaterThan(15);
  expect(optional.filter((member) => !member.default?.trim())).toEqual([]);
});

test('the documented defaults are the actual ones', () => {
  const settings = {
    ...readSettings({ baseUrl: 'http://localhost', apiKey: 'key' }),
    ...readWatchSettings({}),
  };
  const documented = ['RollcallOptions', 'WatchOptions'].flatMap((type) =>
    members
      .filter(({ name, default: text }) => name.startsWith(`${type}.`) && /^(\d+|Infinity|false)\b/.test(text ?? ''))
      .map(({ name, default: text = '' }) => [name, text.split(':')[0]]),
  );
  expect(documented).toEqual([
    ['RollcallOptions.timeoutMs', String(settings.timeoutMs)],
    ['RollcallOptions.retryForMs', String(settings.retryForMs)],
    ['RollcallOptions.maxRetries', String(settings.maxRetries)],
    ['RollcallOptions.retryBaseMs', String(settings.retryBaseMs)],
    ['RollcallOptions.retryMaxMs', String(settings.retryMaxMs)],
    ['WatchOptions.intervalMs', String(settings.intervalMs)],
    ['WatchOptions.includeExisting', String(settings.includeExisting)],
    ['WatchOptions.retryForMs', String(settings.limits.retryForMs)],
  ]);
});
