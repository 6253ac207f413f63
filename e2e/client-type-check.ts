import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { InstalledClient } from './installed-client.ts';

const run = promisify(execFile);

/** A program that uses the whole package, especially the parts that compilers have treated differently. */
const USE = `
import { Rollcall, RollcallError, type Client, type ClientChange, type ClientRecord, type ClientsPage, type FetchLike, type Group, type GroupList, type NewClient, type Retry, type RollcallOptions } from '@rollcall/client';
const options: RollcallOptions = { apiKey: 'key', baseUrl: undefined, fetch: globalThis.fetch, onRetry: (retry: Retry) => retry.waitMs };
const rollcall = new Rollcall(options);
export const platform: FetchLike = fetch;
export async function use(stop: AbortSignal): Promise<[string, number, ClientChange['type'][]]> {
  const page: ClientsPage = await rollcall.clients.page({ requestStatus: 'Completed', pageNo: 1 }, { signal: stop });
  const status: 'Pending' | 'Declined' | 'Completed' | 'Accepted' | 'Requested' | undefined = page.results[0]?.request_status;
  // @ts-expect-error a misspelt filter does not compile
  rollcall.clients.list({ reqestStatus: 'completed' });
  // @ts-expect-error a timeout is a number
  new Rollcall({ apiKey: 'key', baseUrl: '', timeoutMs: '5' });
  const seen: Client[] = [];
  for await (const client of rollcall.clients.list()) seen.push(client);
  for await (const each of rollcall.clients.list().pages()) seen.push(...each.results);
  const first = await rollcall.clients.list()[Symbol.asyncIterator]().next();
  if (!first.done) seen.push(first.value);
  const name: string | undefined = first.value?.client_name;
  for await (const change of rollcall.clients.watch({}, { intervalMs: 5 })) {
    if (change.type === 'changed') seen.push(change.before);
  }
  const ada: NewClient = { email: 'ada@mail.example', client_name: 'Ada', client_type: 'individual', group_name: 'A' };
  const created: ClientRecord = await rollcall.clients.create(ada, { idempotencyKey: 'order-1', signal: stop });
  await rollcall.clients.update(created.reference_id, { external_id: null, reason: 'why' }, { ifMatch: created });
  await rollcall.clients.upsert('CRM-1', { request_status: 'Accepted' }, { ifMatch: '*' });
  await rollcall.clients.erase(created.reference_id);
  // @ts-expect-error a client needs a name
  rollcall.clients.create({ email: 'ada@mail.example', client_type: 'individual' });
  // @ts-expect-error a misspelt field does not compile
  rollcall.clients.update(created.reference_id, { clientName: 'Ada' });
  // @ts-expect-error a client of a list has no version
  rollcall.clients.erase(created.reference_id, { ifMatch: page.results[0] });
  seen.push(await rollcall.clients.get(created.reference_id));
  const groups: GroupList = rollcall.groups.list();
  const named: Group = await rollcall.groups.create('A');
  for await (const group of groups) await rollcall.groups.rename(group.group_token, named.group_name);
  return [status ?? name ?? RollcallError.name, seen.length, []];
}
`;

/** Project configurations: `module`, `moduleResolution`, and files of each module kind. */
export const SETUPS = {
  node16: { module: 'node16', moduleResolution: 'node16', files: ['use.mts', 'use.cts'] },
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext', files: ['use.mts', 'use.cts'] },
  bundler: { module: 'esnext', moduleResolution: 'bundler', files: ['use.ts'] },
} as const;

/** The libraries that the types of `fetch` and `AbortSignal` can come from. */
export const TYPE_SOURCES = {
  'the DOM library': { lib: ['es2022', 'dom'], types: [] },
  '@types/node': { lib: ['es2022'], types: ['node'] },
  both: { lib: ['es2022', 'dom', 'dom.iterable'], types: ['node'] },
} as const;

export interface Setup {
  module: string;
  moduleResolution: string;
  files: readonly string[];
}

export interface TypeSource {
  lib: readonly string[];
  types: readonly string[];
}

/** Type-checks a strict project that uses the package, including the package's declarations. Returns the errors. */
export async function typeCheck(
  installed: InstalledClient,
  tsc: readonly string[],
  { files, ...modules }: Setup,
  typeSource: TypeSource,
): Promise<string> {
  for (const file of files) installed.write(file, USE);
  return compile(installed, tsc, files, { ...modules, ...typeSource });
}

/** Compiles files of the project. Returns the errors. */
export async function compile(
  installed: InstalledClient,
  [command = '', ...args]: readonly string[],
  files: readonly string[],
  options: Record<string, unknown>,
): Promise<string> {
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    noEmit: true,
    target: 'es2022',
    ...options,
  };
  const config = installed.write('tsconfig.json', JSON.stringify({ compilerOptions, files }));
  const { stdout, stderr } = await run(command, [...args, '-p', config], { cwd: installed.project }).catch(
    (error) => error,
  );
  return `${stdout}${stderr}`;
}

/** Links a package from another folder into the project, under this name. */
export function linkPackage(installed: InstalledClient, name: string, from: string): void {
  const path = join(installed.project, 'node_modules', name);
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(from, path);
}
