import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { GENERATOR_NAMES } from '../bench/measure/load.ts';
import { LoadGenerator } from '../bench/measure/load-generator.ts';
import { CREATES, IMPORT_OVER_HTTP, LONGEST_CHANGE, LONGEST_RARE_CHANGE } from '../bench/measure/measure-writing.ts';
import { QUESTIONS } from '../bench/measure/questions.ts';
import { SEARCHES } from '../bench/measure/searches.ts';
import { isWrkInstalled } from '../bench/measure/wrk.ts';
import { rollcall } from '../bench/peers/rollcall.ts';
import type { Figure, Measurement, QuestionResult, SearchResult } from '../bench/report/results.ts';
import { temporaryFolder } from '../packages/server/src/testing/test-store.ts';

const RUN = fileURLToPath(new URL('../bench/run.ts', import.meta.url));

test('a command that is measured tells how much time and memory it needed', async () => {
  const database = `sqlite:${temporaryFolder()}/rollcall.db`;
  const { stdout, seconds, cpuSeconds, peakMb } = await rollcall(database, ['migrate']);
  expect(stdout).not.toBe('');
  expect(seconds).toBeGreaterThan(0);
  expect(cpuSeconds).toBeGreaterThan(0);
  expect(peakMb).toBeGreaterThan(20);
});

test.each(GENERATOR_NAMES.filter((name) => name !== 'wrk' || isWrkInstalled()))(
  '%s sends all kinds of requests of a load, and counts the responses',
  async (name) => {
    const received: IncomingMessage[] = [];
    const bodies: string[] = [];
    const server = createServer(async (request, response) => {
      received.push(request);
      if (request.method === 'POST') bodies.push(await text(request));
      response.end();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const generator = LoadGenerator.start(name);
    onTestFinished(async () => {
      await generator.stop();
      server.close();
    });
    const result = await generator.run(
      {
        address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        choices: [
          { path: '/list?page_no={number}', numbers: 5 },
          { path: '/list?client_email=a%40x.example' },
          { path: '/new', body: '{"email":"c{serial_}@x.example"}' },
        ],
        seed: 1,
        headers: { 'api-key': 'secret' },
        connections: 2,
        seconds: 1,
      },
      { pid: process.pid },
    );
    const pages = [1, 2, 3, 4, 5].map((page) => `/list?page_no=${page}`);
    expect(new Set(received.map(({ url }) => url))).toEqual(
      new Set([...pages, '/list?client_email=a%40x.example', '/new']),
    );
    for (const body of bodies) expect(body).toMatch(/^\{"email":"c\d{9}@x\.example"\}$/);
    expect(new Set(bodies).size).toBe(bodies.length);
    expect(new Set(received.map(({ headers }) => headers['api-key']))).toEqual(new Set(['secret']));
    expect(result.answers).toBeGreaterThan(0);
    expect(result.answers).toBeLessThanOrEqual(received.length);
    expect(result.maxMs).toBeGreaterThanOrEqual(result.p99Ms);
    expect(result.p99Ms).toBeGreaterThanOrEqual(result.p50Ms);
  },
);

interface RunRecord {
  loadGenerator: string;
  measurements: Measurement[];
  questions: QuestionResult[];
  searches: SearchResult[];
  figures: Figure[];
}

test('a small run compares ours with the bare servers and every question with a plain page, searches and changes, and writes a report', async () => {
  const folder = temporaryFolder();
  const options = ['--clients', '300', '--seconds', '0.05', '--rounds', '1', '--connections', '2'];
  const parts = ['--engines', 'sqlite', '--only', 'lists,questions,searches,writing', '--generator', 'autocannon'];
  const { stdout } = await promisify(execFile)(process.execPath, [RUN, ...options, ...parts], {
    env: { PATH: process.env.PATH, ROLLCALL_BENCH_FOLDER: folder },
  });

  const results = join(folder, 'results');
  const record = JSON.parse(readFileSync(join(results, 'latest.json'), 'utf8')) as RunRecord;
  expect(record.loadGenerator).toBe('autocannon');
  const rows = (workload: string) =>
    record.measurements.filter((each) => each.workload === workload).map(({ row }) => row);
  const all = ['ceiling', 'usual', 'query', 'cached', 'uncached'];
  expect(rows('first page, whole list')).toEqual(all);
  expect(rows('random page, whole list')).toEqual(all);
  expect(rows('one client by email')).toEqual(all);
  expect(rows('token exchange')).toEqual(['ceiling', 'query', 'cached']);
  expect(record.questions.map(({ question }) => question)).toEqual(QUESTIONS.map(({ name }) => name));
  expect(record.questions.every(({ p50Ms, plainP50Ms }) => p50Ms > 0 && plainP50Ms > 0)).toBe(true);
  expect(record.searches.map(({ search }) => search)).toEqual(SEARCHES.map(({ name }) => name));
  expect(record.searches.find(({ search }) => search === 'an email')).toMatchObject({ found: 1, isTotalExact: true });
  for (const what of [CREATES, IMPORT_OVER_HTTP, LONGEST_CHANGE, LONGEST_RARE_CHANGE]) {
    expect(record.figures.find((figure) => figure.what === what)?.value, what).toBeGreaterThan(0);
  }
  const hasTimes = record.measurements.every(({ serverCpuMicroseconds }) => serverCpuMicroseconds !== null);
  expect(hasTimes).toBe(process.platform === 'linux');

  expect(stdout).toContain(readFileSync(join(results, 'latest.txt'), 'utf8'));
  expect(readdirSync(results).sort()).toEqual([
    'latest.json',
    'latest.txt',
    'processor-time.svg',
    'questions-sqlite.svg',
    'random-page-median.svg',
    'throughput-to-ceiling.svg',
  ]);
});
