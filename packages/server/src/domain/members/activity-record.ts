import { Failure } from '../failure.ts';
import { formatTime, parseTime } from '../time.ts';
import type { Chain, ChainEnd } from './activity-chain.ts';
import type { Cut } from './activity-cut.ts';
import { ChainCheck, type ChainProblem, type StoredEntry } from './chain-check.ts';
import type { SignedCheckpoint } from './checkpoint.ts';
import { type ChainsRead, openStart, type VerifyAgainst } from './verify-activity.ts';

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

/** Says, before the first entry of a chain, that those up to this number were removed, with the signature. */
export interface CutRecord {
  chain: string;
  removed_up_to: number;
  hash: string;
  signed: string;
}

/** The entries of the chains, chain by chain, in the order of their numbers. */
export async function* exportActivity(
  chains: ChainsRead,
  ends: readonly ChainEnd[],
): AsyncGenerator<ActivityRecord | CutRecord> {
  const cuts = new Map((await chains.cuts()).map((cut) => [cut.chain, cut]));
  for (const { chain } of ends) {
    const cut = cuts.get(chain);
    if (cut) yield { chain, removed_up_to: cut.count, hash: cut.hash, signed: cut.signed };
    for await (const entry of chains.entries(chain)) yield toRecord(chain, entry);
  }
}

export function toRecord(chain: string, entry: StoredEntry): ActivityRecord {
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
  /** Where entries were removed because they were old. */
  removed: ChainEnd[];
  /** How many entries are newer than the checkpoint, which therefore does not say whether there were more of them. */
  newer: number;
}

/** Verifies exported entries against the ends that a signed checkpoint has for their chains. */
export async function verifyExport(
  lines: AsyncIterable<string>,
  { signed = [], ...against }: VerifyAgainst,
): Promise<VerifiedExport> {
  const signedEnds = new Map<string, ChainEnd>(signed.map((end) => [end.chain, end]));
  const checks = new Map<string, ChainCheck>();
  const problems: ChainProblem[] = [];
  const removed: ChainEnd[] = [];
  let entries = 0;
  let newer = 0;
  for await (const line of lines) {
    if (line.trim() === '') continue;
    const record = parse(line);
    const chain = String(record.chain);
    const cut = checks.has(chain) ? undefined : cutOf(record);
    const start = cut && (await openStart(cut, against, problems));
    const check = checks.get(chain) ?? new ChainCheck(chain, { signed: signedEnds.get(chain), start });
    checks.set(chain, check);
    if (start) removed.push(start);
    else {
      const entry = toEntry(record);
      check.next(entry);
      entries++;
      if (entry.number > (signedEnds.get(chain)?.count ?? entry.number)) newer++;
    }
  }
  return {
    entries,
    problems: [...problems, ...[...checks.values()].flatMap((check) => check.end())],
    absent: signed.flatMap(({ chain, count }) => (count > 0 && !checks.has(chain) ? chain : [])),
    unsigned: [...checks.keys()].filter((chain) => !signedEnds.has(chain)),
    removed,
    newer,
  };
}

function cutOf({ chain, removed_up_to, hash, signed }: ExportedRecord): Cut | undefined {
  if (typeof removed_up_to !== 'number') return undefined;
  const text = String(signed);
  return { chain: String(chain) as Chain, count: removed_up_to, hash: String(hash), signed: text, kid: kidIn(text) };
}

/** The key that the signature of a cut names. */
function kidIn(signed: string): string {
  try {
    return String((JSON.parse(signed) as Partial<SignedCheckpoint>).key?.kid);
  } catch {
    throw notAnExport();
  }
}

function toEntry(record: ExportedRecord): StoredEntry {
  const text = (name: keyof ActivityRecord) => String(record[name] ?? '');
  const textOrNull = (name: keyof ActivityRecord) => (record[name] === null ? null : text(name));
  const at = parseTime(text('at'));
  if (at === undefined || typeof record.number !== 'number') throw notAnExport();
  return {
    ...{ number: record.number, at, id: text('id'), partOf: textOrNull('part_of'), member: text('member') },
    ...{ action: text('action'), subject: text('subject'), environment: textOrNull('environment') },
    ...{ address: text('address'), requestId: textOrNull('request_id'), details: textOrNull('details') },
    clients: record.clients === null ? null : Number(record.clients),
    ...{ salt: textOrNull('salt'), detailsHash: text('details_hash'), hash: text('hash') },
  };
}

/** What a line of an export may contain. */
type ExportedRecord = Partial<ActivityRecord & CutRecord>;

function parse(line: string): ExportedRecord {
  try {
    const record: unknown = JSON.parse(line);
    if (typeof record === 'object' && record !== null) return record as ExportedRecord;
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
