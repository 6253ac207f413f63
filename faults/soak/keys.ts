import { setTimeout as sleep } from 'node:timers/promises';
import type { Program } from '../../e2e/program.ts';
import { OWNER } from '../../e2e/test-account.ts';
import type { Calls } from './calls.ts';
import type { Statistics } from './statistics.ts';

const WHERE = ['--account', OWNER, '--environment', 'production'];
const SCOPES = ['--scope', 'clients:read,clients:write'];
/** So many keys that each stays within the default rate limit. */
const KEYS = 6;
/** Refused within a second is what is promised. The rest is a margin for a busy machine. */
const REFUSED_WITHIN_MS = 30_000;

interface Key {
  id: string;
  secret: string;
  authorization: string;
}

interface CreatedKey {
  key_id: string;
  api_key: string;
}

/** The API keys of the callers: renewed tokens, new secrets, and short-lived keys that are revoked while they are used. */
export class Keys {
  readonly #program: Program;
  readonly #calls: Calls;
  readonly #statistics: Statistics;
  #keys: Key[] = [];
  #rolled = 0;
  #revoked = 0;
  #slowestRevocationMs = 0;

  constructor(program: Program, calls: Calls, statistics: Statistics) {
    this.#program = program;
    this.#calls = calls;
    this.#statistics = statistics;
  }

  async create(): Promise<void> {
    for (let each = 0; each < KEYS; each++) this.#keys.push(await this.#createKey(`caller ${each}`));
  }

  authorization(): string {
    return (this.#keys[Math.floor(Math.random() * this.#keys.length)] as Key).authorization;
  }

  get figures() {
    return { rolled: this.#rolled, revoked: this.#revoked, slowestRevocationMs: Math.round(this.#slowestRevocationMs) };
  }

  /** Exchanges every key again, because tokens expire. */
  async renewTokens(): Promise<void> {
    for (const key of this.#keys) key.authorization = await this.#exchange(key.secret);
  }

  /** Gives one of the keys a new secret. Callers use its token at once, and some still have one of the old secret. */
  async rollOne(): Promise<void> {
    const key = this.#keys[this.#rolled % this.#keys.length] as Key;
    const { api_key } = await this.#program.json<CreatedKey>(['key', 'roll', key.id]);
    key.secret = api_key;
    key.authorization = await this.#exchange(api_key);
    this.#rolled++;
  }

  /** Uses a new key at every node, revokes it, and waits until every node refuses it. */
  async revokeOne(): Promise<void> {
    const key = await this.#createKey('short-lived');
    for (const status of await this.#statusesOf(key)) this.#requireStatus(status, 200, 'a new key');
    await this.#program.json(['key', 'revoke', key.id]);
    const revokedAt = performance.now();
    while (!(await this.#statusesOf(key)).every((status) => status === 401)) {
      if (performance.now() - revokedAt > REFUSED_WITHIN_MS) {
        this.#statistics.failed('a revoked key still works');
        return;
      }
      await sleep(50);
    }
    this.#slowestRevocationMs = Math.max(this.#slowestRevocationMs, performance.now() - revokedAt);
    this.#revoked++;
  }

  async #createKey(name: string): Promise<Key> {
    const { key_id, api_key } = await this.#program.json<CreatedKey>([
      'key',
      'create',
      ...WHERE,
      ...SCOPES,
      '--name',
      name,
    ]);
    return { id: key_id, secret: api_key, authorization: await this.#exchange(api_key) };
  }

  async #exchange(secret: string): Promise<string> {
    const path = '/api/v1/generate-access-token/';
    const answer = await this.#calls.persistently<{ access_token: string }>({ path, headers: { 'api-key': secret } });
    this.#requireStatus(answer.status, 200, 'an exchange');
    return `Bearer ${answer.data?.access_token}`;
  }

  /** What every node answers, those that are being restarted excepted. */
  async #statusesOf({ authorization }: Key): Promise<number[]> {
    const call = { path: '/api/v1/clients-list/?page_limit=1', headers: { authorization } };
    const answers = await Promise.all(this.#calls.nodes.map((node) => this.#calls.once(call, node)));
    return answers.flatMap((answer) => answer?.status ?? []);
  }

  #requireStatus(status: number, expected: number, what: string): void {
    if (status !== expected) this.#statistics.failed(`${what} answered ${status}`);
  }
}
