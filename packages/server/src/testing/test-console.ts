import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { openConsole } from '../console/app.ts';
import { FILE_TIMEOUTS, type FileTimeouts } from '../console/file-stream.ts';
import { ExportPlaces } from '../domain/clients/export-places.ts';
import { SearchTurns } from '../domain/clients/search-turns.ts';
import { ConcurrencyLimit } from '../domain/concurrency-limit.ts';
import { createAccount } from '../domain/members/account.ts';
import { enter } from '../domain/members/sign-in.ts';
import { SignInAttempts } from '../domain/members/sign-in-attempts.ts';
import { fold } from '../domain/text.ts';
import { Backlog } from '../http/backlog.ts';
import { Lifecycle } from '../http/lifecycle.ts';
import { RequestLog } from '../http/request-log.ts';
import type { Store } from '../store/open-store.ts';
import { TEST_PASSWORD, TESTER, TestClock } from './builders.ts';
import { type Answer, send, type TestApi } from './test-api.ts';
import { openTestStore } from './test-store.ts';

/** The console on a real socket over a real store; only the clock is a toy. */
export interface TestConsole {
  store: Store;
  clock: TestClock;
  address: string;
  log: string[];
  exportPlaces: ExportPlaces;
  searchTurns: SearchTurns;
  /** A browser that keeps its cookie and says truthfully where it is. */
  browser(): Browser;
  /** A browser signed in as the owner of a new account. */
  owner(email?: string): Promise<Browser>;
  /** A browser in which an owner of the first account has just signed in, whatever became of the others. */
  signedInOwner(): Promise<Browser>;
}

export class Browser {
  readonly #address: string;
  cookie: string | undefined;

  constructor(address: string, cookie?: string) {
    this.#address = address;
    this.cookie = cookie;
  }

  get = (path: string) => this.send('GET', path);
  post = (path: string, body?: unknown) => this.send('POST', path, body);
  delete = (path: string) => this.send('DELETE', path);

  /** The body is a form when it is one already, and JSON otherwise. */
  async send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const isForm = body instanceof URLSearchParams;
    const answer = await send(this.#address + path, {
      method,
      headers: {
        origin: this.#address,
        ...(this.cookie && { cookie: this.cookie }),
        ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    });
    const set = answer.headers.get('set-cookie');
    if (set) this.cookie = set.split(';')[0];
    return answer;
  }

  signIn(email: string, password = TEST_PASSWORD, code?: string): Promise<Answer> {
    return this.post('/console/session', { email, password, ...(code && { code }) });
  }
}

/** On a new store; or, as in one process of the real program, beside an API and on the same store. */
export async function openTestConsole({
  publicUrl,
  api,
  fileTimeouts = FILE_TIMEOUTS,
}: {
  publicUrl?: string;
  api?: TestApi;
  fileTimeouts?: FileTimeouts;
} = {}): Promise<TestConsole> {
  const store = api?.store ?? (await openTestStore());
  const clock = api?.clock ?? new TestClock();
  const log: string[] = [];
  const lines = { write: (line: string) => log.push(line) };
  const exportPlaces = new ExportPlaces({ perMember: 2, inAll: 4 });
  const searchTurns = new SearchTurns({ atOnce: 2, waitingPerMember: 4, waitingInAll: 50, waitMs: 15_000 });
  const app = await openConsole({
    ...store,
    clock,
    attempts: new SignInAttempts(),
    concurrencyLimit: new ConcurrencyLimit({ atOnce: 1, waitingMax: 100 }),
    exportPlaces,
    searchTurns,
    fileTimeouts,
    logger: pino({ level: 'debug' }, lines),
    requestLog: new RequestLog(lines, 'dashboard'),
    lifecycle: new Lifecycle(),
    backlog: new Backlog(),
    addresses: { production: 'http://production.example', sandbox: 'http://sandbox.example' },
    publicUrl,
    pagesFolder: '/nowhere',
    keysEnded: async (keyIds) => api?.endedKeys.end(keyIds),
  });
  onTestFinished(() => app.close());
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  const signedIn = async (email: string): Promise<Browser> => {
    const credentials = await store.credentials.byEmail(fold(email));
    if (!credentials) throw new Error(`Nobody is called ${email}.`);
    const token = await enter({ ...store, clock }, credentials.member, { address: '127.0.0.1', agent: 'test' });
    return new Browser(address, `rollcall_session=${token}`);
  };
  return {
    store,
    clock,
    address,
    log,
    exportPlaces,
    searchTurns,
    browser: () => new Browser(address),
    owner: async (email = 'owner@firm.example') => {
      await createAccount({ ...store, clock }, TESTER, { name: 'Firm', email, password: TEST_PASSWORD });
      return signedIn(email);
    },
    signedInOwner: async () => {
      const [account] = await store.accounts.list();
      const members = account ? await store.members.list(account.id) : [];
      return signedIn(members.find(({ role }) => role === 'owner')?.email ?? '');
    },
  };
}
