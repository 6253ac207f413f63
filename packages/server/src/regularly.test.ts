import { pino } from 'pino';
import { expect, test } from 'vitest';
import { Failure } from './domain/failure.ts';
import { regularly } from './regularly.ts';

function aLog() {
  const lines: string[] = [];
  return { lines, logger: pino({ base: null, timestamp: false }, { write: (line: string) => void lines.push(line) }) };
}

const run = async () => {
  throw new Failure('unavailable', 'The database does not answer.');
};

test('if the database is unavailable at the end, the log says what is lost', async () => {
  const { lines, logger } = aLog();
  const failure = 'storing the call counts failed';
  await regularly({ everyMs: 60_000, run, failure, lost: () => ({ callsNotStored: 7 }) }, logger)();
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { level: 50, reason: 'The database does not answer.', callsNotStored: 7, msg: `${failure} at the end` },
  ]);
});

test('work that loses nothing says nothing about a database that is unavailable at the end', async () => {
  const { lines, logger } = aLog();
  await regularly({ everyMs: 60_000, run, failure: 'deleting failed' }, logger)();
  expect(lines).toEqual([]);
});
