import { pino } from 'pino';
import { expect } from 'vitest';
import { openConsole } from '../console/app.ts';
import { type ImportDetail, UPLOAD_TYPE } from '../console/contract/clients/imports.ts';
import { FILE_TIMEOUTS, type FileTimeouts } from '../console/file-stream.ts';
import { ExportSlots } from '../domain/clients/export-slots.ts';
import { SearchQueue } from '../domain/clients/search-queue.ts';
import { ConcurrencyLimit } from '../domain/concurrency-limit.ts';
import { SigningKeyRing } from '../domain/credentials/signing-keys.ts';
import type { Environment } from '../domain/environment.ts';
import { prepareSecret } from '../domain/manage-secret.ts';
import type { IdentityProvider } from '../domain/members/identity.ts';
import type { Role } from '../domain/members/member.ts';
import { MemberWrites } from '../domain/members/member-writes.ts';
import { startSession } from '../domain/members/sign-in.ts';
import type { NetworkList } from '../domain/network-address.ts';
import { fold } from '../domain/text.ts';
import { Backlog, type BacklogLimits } from '../http/backlog.ts';
import { Lifecycle } from '../http/lifecycle.ts';
import { RequestLog } from '../http/request-log.ts';
import type { Store } from '../store/open-store.ts';
import { anAccount, TEST_PASSWORD, TestClock } from './builders.ts';
import { listenAnywhere } from './listen.ts';
import { type Answer, send, type TestApi } from './test-api.ts';
import { runTestBulkChanges, runTestImports } from './test-imports.ts';
import { openTestStore } from './test-store.ts';

/** The address of the dashboard in links. */
export const DASHBOARD = 'https://rollcall.firm.example';

/** The console on a real socket and a real store; only the clock is a test clock. */
export interface TestConsole {
  store: Store;
  clock: TestClock;
  address: string;
  log: string[];
  exportSlots: ExportSlots;
  searchQueue: SearchQueue;
  /** A browser that keeps its cookie and sends the correct Origin header. */
  browser(): Browser;
  /** A browser signed in as the owner of a new account. */
  owner(email?: string): Promise<Browser>;
  /** A browser in which somebody has accepted an invitation of this member, and is signed in. */
  join(by: Browser, email: string, role: Role): Promise<Browser>;
  /** A browser in which a current owner of the first account has just signed in. */
  signedInOwner(): Promise<Browser>;
}

export class Browser {
  readonly #address: string;
  cookie: string | undefined;
  /** The cookie of a browser that has signed in before. */
  deviceCookie: string | undefined;

  constructor(address: string, cookie?: string) {
    this.#address = address;
    this.cookie = cookie;
  }

  get = (path: string) => this.send('GET', path);
  post = (path: string, body?: unknown) => this.send('POST', path, body);
  delete = (path: string) => this.send('DELETE', path);

  /** Sends `URLSearchParams` as a form, bytes as a file, and any other body as JSON. */
  async send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const answer = await send(this.#address + path, {
      method,
      headers: { origin: this.#address, ...this.#cookies(), ...typeOf(body), ...headers },
      ...(body !== undefined && { body: isSentAsItIs(body) ? body : JSON.stringify(body) }),
    });
    for (const set of answer.headers.getSetCookie()) {
      const [cookie] = set.split(';');
      if (cookie?.includes('rollcall_device=')) this.deviceCookie = cookie;
      else this.cookie = cookie;
    }
    return answer;
  }

  #cookies(): Record<string, string> {
    const cookies = [this.cookie, this.deviceCookie].filter((each) => each !== undefined);
    return cookies.length === 0 ? {} : { cookie: cookies.join('; ') };
  }

  /** Imports the text of a file, and returns what became of it. */
  async import(environment: Environment, text: string, { name = 'clients.csv', dryRun = false } = {}) {
    const path = `/console/${environment}/imports`;
    const query = `?file_name=${encodeURIComponent(name)}&dry_run=${dryRun}`;
    const { body } = await this.send('POST', path + query, new TextEncoder().encode(text));
    if (!body.data) throw new Error(body.message);
    const read = async () => (await this.get(`${path}/${body.data?.import_id}`)).body.data as unknown as ImportDetail;
    await expect.poll(async () => (await read()).import.state).not.toMatch(/^(queued|running)$/);
    return read();
  }

  signIn(email: string, password = TEST_PASSWORD, code?: string, accountId?: number): Promise<Answer> {
    return this.post('/console/session', {
      email,
      password,
      ...(code && { code }),
      ...(accountId && { account_id: accountId }),
    });
  }
}

function isSentAsItIs(body: unknown): body is URLSearchParams | Uint8Array<ArrayBuffer> {
  return body instanceof URLSearchParams || body instanceof Uint8Array;
}

function typeOf(body: unknown): Record<string, string> {
  if (body === undefined || body instanceof URLSearchParams) return {};
  return { 'content-type': body instanceof Uint8Array ? UPLOAD_TYPE : 'application/json' };
}

/** Uses a new store, or the store of an API, like in one process of the real program. */
export async function openTestConsole({
  publicUrl,
  api,
  fileTimeouts = FILE_TIMEOUTS,
  limits,
  trustedProxies,
  sendsMail = false,
  auditDays = 0,
  provider,
  writesPerMinute = Number.POSITIVE_INFINITY,
}: {
  publicUrl?: string;
  api?: TestApi;
  fileTimeouts?: FileTimeouts;
  limits?: Partial<BacklogLimits>;
  trustedProxies?: NetworkList;
  sendsMail?: boolean;
  auditDays?: number;
  provider?: IdentityProvider;
  writesPerMinute?: number;
} = {}): Promise<TestConsole> {
  const store = api?.store ?? (await openTestStore());
  const clock = api?.clock ?? new TestClock();
  await prepareSecret({ ...store, clock });
  const log: string[] = [];
  const lines = { write: (line: string) => log.push(line) };
  const exportSlots = new ExportSlots({ perMember: 2, perAccount: 3, inAll: 4 });
  const searchQueue = new SearchQueue({ atOnce: 2, waitingPerMember: 4, waitingInAll: 50, waitMs: 15_000 });
  const logger = pino({ level: 'debug' }, lines);
  const importRunner = runTestImports(store, clock, logger);
  const bulkChangeRunner = runTestBulkChanges(store, clock, logger);
  const app = await openConsole({
    ...store,
    clock,
    signingKeys: api?.signingKeys ?? (await SigningKeyRing.open({ ...store, clock })),
    importMaxBytes: 1024 * 1024,
    onImportStored: () => importRunner.wake(),
    onBulkChangeStored: () => bulkChangeRunner.wake(),
    concurrencyLimit: new ConcurrencyLimit({ atOnce: 1, waitingMax: 100, refusal: 'Too many.' }),
    exportSlots,
    searchQueue,
    fileTimeouts,
    memberWrites: new MemberWrites(writesPerMinute),
    logger,
    requestLog: new RequestLog(lines, 'dashboard'),
    lifecycle: new Lifecycle(),
    backlog: new Backlog(limits),
    addresses: { production: 'http://production.example', sandbox: 'http://sandbox.example', dashboard: DASHBOARD },
    publicUrl,
    trustedProxies,
    sendsMail,
    auditDays,
    provider,
    defaultRateLimit: { perSecond: 50, burst: 60 },
    pagesFolder: '/nowhere',
    onKeysChanged: async (changed) => api?.keyDirectory.follow(changed),
  });
  const address = await listenAnywhere(app);
  const signedIn = async (email: string): Promise<Browser> => {
    const [credentials] = await store.credentials.byEmail(fold(email));
    if (!credentials) throw new Error(`There is no member ${email}.`);
    const token = await startSession({ ...store, clock }, credentials.member, { address: '127.0.0.1', agent: 'test' });
    return new Browser(address, `rollcall_session=${token}`);
  };
  return {
    store,
    clock,
    address,
    log,
    exportSlots,
    searchQueue,
    browser: () => new Browser(address),
    owner: async (email = 'owner@firm.example') => {
      await anAccount(store, clock, { name: 'Firm', email });
      return signedIn(email);
    },
    join: async (by, email, role) => {
      const { body } = await by.post('/console/invitations', { email, role });
      const browser = new Browser(address);
      await browser.post('/console/invitation/acceptance', { token: body.data?.token, password: TEST_PASSWORD });
      return browser;
    },
    signedInOwner: async () => {
      const [account] = await store.accounts.list();
      const members = account ? await store.members.list(account.id) : [];
      return signedIn(members.find(({ role }) => role === 'owner')?.email ?? '');
    },
  };
}
