import { randomInt } from 'node:crypto';
import type { Actor, WorkspaceRecorder } from '../change.ts';
import type { ClientType, NewClient } from './client.ts';
import { newGroupsIn } from './group-change-counts.ts';
import { type ImportDeps, importRows, makeImportId, type RowChanges, type RowOutcome } from './import-clients.ts';
import { SAMPLE_CLIENTS } from './import-names.ts';
import type { ImportRow } from './parse-row.ts';
import { REQUEST_STATUSES, type RequestStatus } from './request-status.ts';

const FIRST_NAMES = [
  'Ada',
  'Amara',
  'Bruno',
  'Chloé',
  'Dmitri',
  'Elif',
  'Fatima',
  'Grace',
  'Hiroshi',
  'Inês',
  'Jonas',
  'Kwame',
  'Lena',
  'Mateo',
  'Nadia',
  'Olu',
  'Priya',
  'Quentin',
  'Rosa',
  'Søren',
  'Tomás',
  'Uma',
  'Viktor',
  'Wei',
  'Yara',
  'Zoë',
];
const LAST_NAMES = [
  'Abebe',
  'Björk',
  'Costa',
  'Dubois',
  'Eze',
  'Fischer',
  'García',
  'Haddad',
  'Ivanova',
  'Jensen',
  'Kowalski',
  'Lindqvist',
  'Müller',
  'Nakamura',
  'Okafor',
  'Papadopoulos',
  'Quiroga',
  'Rossi',
  'Singh',
  'Tanaka',
  'Ueda',
  'Vargas',
  'Weber',
  'Yılmaz',
  'Zhang',
];
const TRADES = [
  'Analytics',
  'Bakery',
  'Capital',
  'Foods',
  'Freight',
  'Holdings',
  'Instruments',
  'Labs',
  'Logistics',
  'Partners',
  'Studio',
  'Textiles',
];
const COMPANY_FORMS = ['AB', 'GmbH', 'Inc.', 'Ltd', 'S.A.', 'S.r.l.'];
const GROUPS = [
  'Retail investors',
  'Private banking',
  'Small business',
  'Corporate',
  'Partners',
  'Charities',
  'Start-ups',
  'Public sector',
];

/** Most requests are completed; a few are in each earlier status. */
const STATUS_WEIGHTS: Record<RequestStatus, number> = {
  completed: 55,
  pending: 15,
  accepted: 12,
  requested: 10,
  declined: 8,
};

const YEAR_MS = 365 * 86_400_000;

export interface SampleRequest {
  clients: number;
  groups: number;
  seed: number;
  /** Part of the references, so that two workspaces filled with the same seed have different ones. */
  workspaceId: number;
  /** The creation time of the newest client is not later than this. */
  until: number;
}

/** Realistic clients, oldest first. The same request always gives the same clients. */
export function* sampleClients({ clients, groups, seed, workspaceId, until }: SampleRequest): Generator<NewClient> {
  const random = randomFrom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const step = YEAR_MS / clients;
  for (let index = 0; index < clients; index++) {
    const type: ClientType = random() < 0.7 ? 'individual' : 'company';
    const [first, last] = [pick(FIRST_NAMES), pick(LAST_NAMES)];
    const name = type === 'individual' ? `${first} ${last}` : `${last} ${pick(TRADES)} ${pick(COMPANY_FORMS)}`;
    const createdAt = Math.floor(until - YEAR_MS + step * (index + random()));
    yield {
      referenceId: `${createdAt}-${String(workspaceId).padStart(2, '0')}${String(index % 10_000).padStart(4, '0')}`,
      email: `${asciiOf(first)}.${asciiOf(last)}.${seed}-${index + 1}@mail.example`,
      name,
      type,
      // Squared, so that the first groups are large and the last are small, as in real data.
      groupName: groupName(Math.floor(random() ** 2 * groups)),
      requestStatus: pickStatus(random()),
      status: random() < 0.93 ? 'active' : 'inactive',
      createdAt,
      externalId: null,
    };
  }
}

function groupName(index: number): string {
  const name = GROUPS[index % GROUPS.length] as string;
  return index < GROUPS.length ? name : `${name} ${Math.floor(index / GROUPS.length) + 1}`;
}

function pickStatus(at: number): RequestStatus {
  let remaining = at * Object.values(STATUS_WEIGHTS).reduce((sum, weight) => sum + weight);
  for (const status of REQUEST_STATUSES) {
    remaining -= STATUS_WEIGHTS[status];
    if (remaining < 0) return status;
  }
  return 'completed';
}

function asciiOf(name: string): string {
  return name
    .normalize('NFD')
    .replace(/ø/g, 'o')
    .replace(/ı/g, 'i')
    .replace(/[^A-Za-z]/g, '')
    .toLowerCase();
}

/** Mulberry32: small, fast and, unlike `Math.random`, repeatable. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const DAY_MS = 86_400_000;

/** Adds the sample clients that do not exist yet: the same seed used again on the same day adds nothing. */
export async function addSample(
  deps: ImportDeps,
  actor: Actor,
  request: Omit<SampleRequest, 'until'>,
): Promise<number> {
  const now = deps.clock.now();
  const by = { workspaceId: request.workspaceId, actor };
  const origin = { id: makeImportId(), name: SAMPLE_CLIENTS };
  let added = 0;
  let batch: ImportRow[] = [];
  const flush = async () => {
    const { outcomes } = await importRows(deps, by, batch, origin);
    added += insertedOf(outcomes);
    batch = [];
  };
  for (const client of sampleClients({ ...request, until: now - (now % DAY_MS) })) {
    batch.push({ line: 0, ...client });
    if (batch.length === deps.clients.rowsAtOnce) await flush();
  }
  if (batch.length > 0) await flush();
  return added;
}

/** Adds sample clients that no earlier request has added, within a change. */
export async function addSampleIn(
  change: WorkspaceRecorder & { clients: RowChanges },
  request: Omit<SampleRequest, 'seed'>,
): Promise<number> {
  const sample = sampleClients({ ...request, seed: randomInt(2 ** 32) });
  const rows = Array.from(sample, ({ referenceId: _, ...client }): ImportRow => ({ line: 0, ...client }));
  const { outcomes, clients, groupChanges } = await change.clients.importRows(rows);
  const entry = { id: makeImportId(), clients: clients.length, newGroups: newGroupsIn(groupChanges) };
  change.record('client.imported', SAMPLE_CLIENTS, entry);
  return insertedOf(outcomes);
}

function insertedOf(outcomes: readonly RowOutcome[]): number {
  return outcomes.filter((outcome) => outcome === 'inserted').length;
}
