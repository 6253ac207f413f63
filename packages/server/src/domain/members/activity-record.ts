import { Failure } from '../failure.ts';
import { formatTime, parseTime } from '../time.ts';
import type { ChainEnd, ChainHead } from './activity-chain.ts';
import { ChainCheck, type ChainProblem, type ChainsRead, type StoredEntry } from './verify-activity.ts';

/** An entry as it is exported: with everything that its hash covers, so that an export can be verified without the database. */
export const RECORD_FIELDS = [
  'chain',
  'number',
  'at',
  'id',
  'part_of',
  'member',
  'action',
  'subject',
  'environment',
  'address',
  'request_id',
  'clients',
  'details',
  'salt',
  'details_hash',
  'hash',
] as const;
export type ActivityRecord = Record<(typeof RECORD_FIELDS)[number], string | number | null>;

/** The entries of the chains, chain by chain, in the order of their numbers. */
export async function* exportActivity(chains: ChainsRead, ends: readonly ChainEnd[]): AsyncGenerator<ActivityRecord> {
  for (const { chain } of ends) {
    for await (const entry of chains.entries(chain)) yield toRecord(chain, entry);
  }
}

function toRecord(chain: string, entry: StoredEntry): ActivityRecord {
  const { number, at, id, partOf, member, action, subject, environment, address, requestId, clients } = entry;
  const { details, salt, detailsHash, hash } = entry;
  return {
    ...{ chain, number, at: formatTime(at), id, part_of: partOf, member, action, subject, environment, address },
    ...{ request_id: requestId, clients, details, salt, details_hash: detailsHash, hash },
  };
}

export interface VerifiedExport {
  entries: number;
  problems: ChainProblem[];
  /** The chains of the checkpoint that are not in the export, such as those of other accounts. */
  absent: string[];
  /** The chains of the export that are not in the checkpoint. Their entries fit each other, and no more is known. */
  unsigned: string[];
}

/** Verifies exported entries against the ends that a signed checkpoint has for their chains. */
export async function verifyExport(lines: AsyncIterable<string>, signed: readonly ChainEnd[]): Promise<VerifiedExport> {
  const signedEnds = new Map<string, ChainHead>(signed.map((end) => [end.chain, end]));
  const checks = new Map<string, ChainCheck>();
  let entries = 0;
  for await (const line of lines) {
    if (line.trim() === '') continue;
    const { chain, entry } = fromLine(line);
    const check = checks.get(chain) ?? new ChainCheck(chain, { signed: signedEnds.get(chain) });
    checks.set(chain, check);
    check.next(entry);
    entries++;
  }
  return {
    entries,
    problems: [...checks.values()].flatMap((check) => check.end()),
    absent: signed.flatMap(({ chain, count }) => (count > 0 && !checks.has(chain) ? chain : [])),
    unsigned: [...checks.keys()].filter((chain) => !signedEnds.has(chain)),
  };
}

function fromLine(line: string): { chain: string; entry: StoredEntry } {
  const record = parse(line);
  const text = (name: keyof ActivityRecord) => String(record[name] ?? '');
  const textOrNull = (name: keyof ActivityRecord) => (record[name] === null ? null : text(name));
  const at = parseTime(text('at'));
  if (at === undefined || typeof record.number !== 'number') throw notAnExport();
  return {
    chain: text('chain'),
    entry: {
      ...{ number: record.number, at, id: text('id'), partOf: textOrNull('part_of'), member: text('member') },
      ...{ action: text('action'), subject: text('subject'), environment: textOrNull('environment') },
      ...{ address: text('address'), requestId: textOrNull('request_id'), details: textOrNull('details') },
      clients: record.clients === null ? null : Number(record.clients),
      ...{ salt: textOrNull('salt'), detailsHash: text('details_hash'), hash: text('hash') },
    },
  };
}

function parse(line: string): ActivityRecord {
  try {
    const record: unknown = JSON.parse(line);
    if (typeof record === 'object' && record !== null) return record as ActivityRecord;
  } catch (error) {
    throw notAnExport(error);
  }
  throw notAnExport();
}

function notAnExport(cause?: unknown): Failure {
  return new Failure('bad_parameter', 'The file is not an export of `rollcall audit export --format ndjson`.', {
    cause,
  });
}
