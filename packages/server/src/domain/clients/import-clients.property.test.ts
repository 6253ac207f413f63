import fc from 'fast-check';
import { expect, inject, test } from 'vitest';
import type { Store } from '../../store/open-store.ts';
import { aWorkspace, ORIGIN, TESTER, TestClock } from '../../testing/builders.ts';
import { openTestStore } from '../../testing/test-store.ts';
import { fold } from '../text.ts';
import { AppliedParts } from './applied-parts.ts';
import type { Column } from './client-columns.ts';
import type { CountedRows } from './counted-rows.ts';
import type { GroupMove } from './group-change-counts.ts';
import { type ImportDeps, type ImportSummary, importClients, type RowChanges } from './import-clients.ts';
import { eraseClient } from './manage-clients.ts';
import type { SourceRow } from './parse-row.ts';
import type { StatusChangeCount } from './status-change-counts.ts';

const REFERENCES = ['1700000000001-1111', '1700000000002-2222', '1700000000003-3333', '1700000000004-4444'];
const TOKENS = ['0b7c1d8e-5f5b-4c0a-9a51-000000000001', '0b7c1d8e-5f5b-4c0a-9a51-000000000002'];
const TIMES = ['2025-03-01T00:00:00.000Z', '2025-04-01T00:00:00.000Z'];

/** Few values, so that rows collide. */
const cellsWith = (references: readonly (string | undefined)[], groups: readonly string[], letters: string) =>
  fc.record(
    {
      reference_id: fc.constantFrom(...references),
      email: fc.constantFrom(...[...letters].map((letter) => `${letter}@x.example`)),
      client_name: fc.constantFrom('Ada', 'Bob'),
      client_type: fc.constantFrom('individual', 'company'),
      group_name: fc.constantFrom(...groups),
      group_token: fc.option(fc.constantFrom(...TOKENS), { freq: 20, nil: undefined }),
      request_status: fc.constantFrom('pending', 'completed', undefined),
      created_at: fc.constantFrom(...TIMES, undefined),
    },
    { noNullPrototype: true },
  );
type Cells = ReturnType<typeof cellsWith> extends fc.Arbitrary<infer T> ? T : never;

/** Mostly with a reference and in one group, so that clients exchange their emails. */
const exchanging = cellsWith(
  [...REFERENCES, ...REFERENCES, ...REFERENCES, undefined],
  ['North', 'North', 'North', 'North', 'north', 'South', 'East'],
  'aAbcdef',
);

/** With many emails, and sometimes without a reference, so that clients are added whose email others have, or have just given up. */
const scattered = cellsWith(
  [...REFERENCES, ...REFERENCES, ...REFERENCES, undefined, undefined],
  ['North', 'north', 'South', 'East'],
  'aAbcdefghijklmnopq',
);

interface ModelGroup {
  name: string;
  token: string | undefined;
}

interface ModelClient {
  reference: string | undefined;
  email: string;
  name: string;
  type: string;
  group: ModelGroup;
  requestStatus: string;
  createdAt: string;
}

/** What an import tells beside its numbers. */
interface Told {
  statusChanges: StatusChangeCount[];
  moves: GroupMove[];
  /** The lines of rows that give a client another email. */
  otherEmails: number[];
  /** The lines of rows that add a client whose email a client of another group has. */
  elsewhere: number[];
  /** The lines of rows that change a client that an earlier row has added or changed. */
  repeats: number[];
}

interface Outcomes {
  summary: ImportSummary;
  rejections: string[];
}

/** The model of an import: applies one row after the other to plain arrays. */
class Model {
  readonly groups: ModelGroup[] = [];
  clients: ModelClient[] = [];
  readonly erased = new Set<string>();
  readonly #now: string;

  constructor(now: number) {
    this.#now = new Date(now).toISOString();
  }

  import(file: readonly Cells[], keepsStatus: boolean): Outcomes {
    const told: Told = { statusChanges: [], moves: [], otherEmails: [], elsewhere: [], repeats: [] };
    const touched = new Set<ModelClient>();
    const groupsBefore = this.groups.length;
    const counts = { inserted: 0, updated: 0, unchanged: 0, rejected: 0 };
    const rejections: string[] = [];
    for (const [index, row] of file.entries()) {
      const outcome = this.#apply({ ...row, line: index + 2 }, keepsStatus, told, touched);
      if (outcome === 'inserted' || outcome === 'updated' || outcome === 'unchanged') counts[outcome]++;
      else {
        counts.rejected++;
        rejections.push(`${index + 2}: ${outcome}`);
      }
    }
    const newGroups = this.groups.slice(groupsBefore).map(({ name }) => name);
    const { statusChanges, moves } = told;
    const groupChanges = { moves, otherMoves: 0, newGroups, otherNewGroups: 0 };
    const rows = {
      emailChanges: countedRows(told.otherEmails),
      emailsElsewhere: countedRows(told.elsewhere),
      repeats: countedRows(told.repeats),
    };
    return { summary: { ...counts, statusChanges, groupChanges, ...rows }, rejections };
  }

  erase(reference: string): void {
    this.clients = this.clients.filter((client) => client.reference !== reference);
    this.erased.add(reference);
  }

  #apply(row: Cells & { line: number }, keepsStatus: boolean, told: Told, touched: Set<ModelClient>): string {
    const named = this.groups.find((group) => fold(group.name) === fold(row.group_name));
    if (named && row.group_token && named.token !== row.group_token) {
      return `group_token is not the token of the group ${named.name}`;
    }
    const owner = named ?? this.groups.find((group) => row.group_token && group.token === row.group_token);
    if (owner !== named) return `group_token belongs to the group ${owner?.name}`;
    if (row.reference_id && this.erased.has(row.reference_id)) return 'the client with this reference_id was erased';

    const group = named ?? { name: row.group_name, token: row.group_token };
    const sameEmail = this.clients.find((each) => each.group === group && fold(each.email) === fold(row.email));
    const sameReference = this.clients.find((each) => row.reference_id && each.reference === row.reference_id);
    const client = sameReference ?? sameEmail;
    if (sameEmail && sameEmail !== client) return 'email belongs to another client of the same group';

    const given = { email: row.email, name: row.client_name, type: row.client_type, group };
    const wanted: ModelClient = {
      reference: client ? client.reference : row.reference_id,
      requestStatus:
        (keepsStatus && client?.requestStatus) || (row.request_status ?? client?.requestStatus ?? 'requested'),
      createdAt: row.created_at ?? client?.createdAt ?? this.#now,
      ...given,
    };
    const fields = Object.keys(wanted) as (keyof ModelClient)[];
    if (client && fields.every((field) => client[field] === wanted[field])) return 'unchanged';
    if (!named) this.groups.push(group);
    if (client) countStatusChange(told.statusChanges, row.line, client.requestStatus, wanted.requestStatus);
    if (client) countMove(told.moves, row.line, client.group.name, group.name);
    if (client && fold(client.email) !== fold(row.email)) told.otherEmails.push(row.line);
    if (!client && this.clients.some((each) => fold(each.email) === fold(row.email))) told.elsewhere.push(row.line);
    if (client && touched.has(client)) told.repeats.push(row.line);
    touched.add(client ?? wanted);
    if (client) Object.assign(client, wanted);
    else this.clients.push(wanted);
    return client ? 'updated' : 'inserted';
  }

  /** In the order of an export. */
  content(): unknown[] {
    return this.clients
      .toSorted((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt))
      .map(({ group, reference, ...rest }) => ({
        ...rest,
        group: group.name,
        ...(group.token && { token: group.token }),
        ...(reference && { reference }),
      }));
  }
}

function countStatusChange(counts: StatusChangeCount[], line: number, from: string, to: string): void {
  const counted = counts.find((each) => each.from === from && each.to === to);
  if (counted) countLine(counted, line);
  else if (from !== to) counts.push({ field: 'request_status', from, to, rows: 1, lines: [line] });
}

function countMove(moves: GroupMove[], line: number, from: string, to: string): void {
  const counted = moves.find((each) => each.from === from && each.to === to);
  if (counted) countLine(counted, line);
  else if (from !== to) moves.push({ from, to, rows: 1, lines: [line] });
}

function countedRows(lines: readonly number[]): CountedRows {
  return { rows: lines.length, lines: lines.slice(0, 10) };
}

function countLine(counted: { rows: number; lines: readonly number[] }, line: number): void {
  counted.rows++;
  if (counted.lines.length < 10) counted.lines = [...counted.lines, line];
}

/** The stored clients, without generated values. */
async function contentOf(store: Store, workspaceId: number): Promise<unknown[]> {
  const clients = (await Array.fromAsync(store.clients.readAll(workspaceId, {}))).flat();
  return clients.map((client) => ({
    email: client.email,
    name: client.name,
    type: client.type,
    requestStatus: client.requestStatus,
    createdAt: new Date(client.createdAt).toISOString(),
    group: client.groupName,
    ...(TOKENS.includes(client.groupToken) && { token: client.groupToken }),
    ...(REFERENCES.includes(client.referenceId) && { reference: client.referenceId }),
  }));
}

/** Applies the rows of each change a few at a time. */
function inParts(changeWorkspace: Store['changeWorkspace'], rowsAtOnce: number): ImportDeps['changeWorkspace'] {
  return (context, work) =>
    changeWorkspace(context, (change) => {
      const importRows: RowChanges['importRows'] = async (rows, rules, earlier) => {
        const parts = new AppliedParts();
        const touched = { has: (id: number) => earlier?.has(id) || parts.hasTouched(id) };
        for (let start = 0; start < rows.length; start += rowsAtOnce) {
          parts.add(await change.clients.importRows(rows.slice(start, start + rowsAtOnce), rules, touched));
        }
        return parts.sum();
      };
      return work({ ...change, clients: { ...change.clients, importRows } });
    });
}

test('a file has the same effect as its rows one after the other, in batches and parts of any size, and a dry run predicts it', async () => {
  const store = await openTestStore();
  const clock = new TestClock();
  let run = 0;
  const anyLength = { maxLength: 40, size: 'max' } as const;
  const file = fc.oneof(fc.array(exchanging, anyLength), fc.array(scattered, anyLength));
  const batchSize = fc.constantFrom(1, 3, 1000, 1000);
  await fc.assert(
    fc.asyncProperty(
      file,
      file,
      fc.option(fc.constantFrom(...REFERENCES)),
      batchSize,
      batchSize,
      batchSize,
      fc.boolean(),
      async (before, then, erased, realSize, partSize, drySize, keepsStatus) => {
        const { workspaceId } = await aWorkspace(store, clock, `owner${++run}@firm.example`);
        const model = new Model(clock.now());
        const change = { workspaceId, actor: TESTER };
        const importing = async (rows: readonly Cells[], rowsAtOnce: number, dryRun: boolean): Promise<Outcomes> => {
          const rejected: { line: number; reason: string }[] = [];
          const summary = await importClients(
            {
              clients: { ...store.clients, rowsAtOnce },
              changeWorkspace: inParts(store.changeWorkspace, partSize),
              clock,
            },
            change,
            asRows(rows),
            {
              origin: ORIGIN,
              dryRun,
              keepsStatus,
              onReject: ({ row, reason }) => {
                rejected.push({ line: row.line, reason });
              },
            },
          );
          return { summary, rejections: rejected.map(({ line, reason }) => `${line}: ${reason}`) };
        };

        expect(await importing(before, realSize, false)).toEqual(model.import(before, keepsStatus));
        if (erased && model.clients.some((client) => client.reference === erased)) {
          await eraseClient({ ...store, clock }, change, erased);
          model.erase(erased);
        }
        const unchanged = await contentOf(store, workspaceId);
        expect(unchanged).toEqual(model.content());

        const checked = await importing(then, drySize, true);
        expect(await contentOf(store, workspaceId)).toEqual(unchanged);
        const wanted = model.import(then, keepsStatus);
        expect(checked).toEqual(wanted);
        expect(await importing(then, realSize, false)).toEqual(wanted);
        expect(await contentOf(store, workspaceId)).toEqual(model.content());
      },
    ),
    // With one row per batch, every row is a transaction, which takes longer with a server.
    { numRuns: inject('engine') === 'sqlite' ? 50 : 25 },
  );
  expect((await store.checkConsistency()).problems).toEqual([]);
});

function asRows(file: readonly Cells[]): SourceRow[] {
  return file.map((row, index) => {
    const given = Object.entries(row).filter(([, cell]) => cell !== undefined);
    return { line: index + 2, cells: Object.fromEntries(given) as Partial<Record<Column, string>> };
  });
}
