import { setTimeout as sleep } from 'node:timers/promises';
import { OWNER, PASSWORD } from '../../e2e/test-account.ts';
import type { Calls } from './calls.ts';
import type { ExpectedClient, Model } from './model.ts';

const POLL_MS = 250;
const IMPORT_TIMEOUT_MS = 600_000;
/** A row without an email, in every file. */
const WRONG_ROW = { email: '', client_name: 'Nobody', client_type: 'company', group_name: 'Imported' };

export interface FileOptions {
  /** How many clients all imports together make. When there are so many, imports only change them. */
  clients: number;
  rowsPerImport: number;
  /** The group of all imported clients. */
  group: { name: string; token: string };
}

interface ImportState {
  import_id: string;
  state: string;
  inserted: number;
  updated: number;
  unchanged: number;
  rejected: number;
}

/** Imports files over the API and exports all clients in the dashboard. */
export class Files {
  readonly #calls: Calls;
  readonly #model: Model;
  readonly #options: FileOptions;
  readonly #authorization: () => string;
  #next = 0;
  imports = 0;
  exports = 0;

  constructor(calls: Calls, model: Model, authorization: () => string, options: FileOptions) {
    this.#calls = calls;
    this.#model = model;
    this.#authorization = authorization;
    this.#options = options;
  }

  /** Imports a file, waits for its end, and checks what it says about itself. */
  async import(): Promise<void> {
    const rows = Array.from({ length: this.#options.rowsPerImport }, () => this.#nextRow());
    const inserted = rows.filter(({ external_id }) => !this.#model.clients.has(external_id)).length;
    const ended = await this.#importRows(rows);
    const { state, updated, unchanged, rejected } = ended;
    const isRight = state === 'completed' && ended.inserted === inserted && rejected === 1;
    if (!isRight || updated + unchanged !== rows.length - inserted) {
      throw new Error(`an import of ${rows.length} rows, ${inserted} of them new, ended with ${JSON.stringify(ended)}`);
    }
    for (const row of rows) this.#model.clients.set(row.external_id, row);
    this.imports++;
  }

  /** Exports all clients, and returns their external ids. */
  async export(): Promise<string[]> {
    const headers = { cookie: await this.#signIn() };
    const call = { method: 'POST', path: '/console/production/clients.csv', headers, onDashboard: true } as const;
    const answer = await this.#calls.once(call);
    // A node that was killed meanwhile could not complete it.
    if (!answer) return this.export();
    if (answer.status !== 200) throw new Error(`an export answered ${answer.status}: ${answer.text.slice(0, 300)}`);
    const [header = '', ...rows] = answer.text.trimEnd().split(/\r?\n/);
    const column = header.split(',').indexOf('external_id');
    this.exports++;
    return rows.map((row) => row.split(',')[column] ?? '');
  }

  /** Compares an export with the model, while nobody writes. */
  async compareExport(): Promise<void> {
    const exported = (await this.export()).sort();
    const expected = [...this.#model.clients.keys()].sort();
    if (exported.join() !== expected.join()) {
      throw new Error(`an export has ${exported.length} clients, the model ${expected.length}, and they differ`);
    }
  }

  #nextRow(): ExpectedClient {
    const number = this.#next++ % this.#options.clients;
    const external_id = `imported-${number}`;
    return {
      external_id,
      email: `${external_id}@mail.example`,
      client_name: `Imported ${number} for the ${1 + Math.floor(this.#next / this.#options.clients)}. time`,
      client_type: number % 2 === 0 ? 'company' : 'individual',
      client_status: 'active',
      request_status: 'completed',
      group_token: this.#options.group.token,
    };
  }

  async #importRows(rows: readonly ExpectedClient[]): Promise<ImportState> {
    const group_name = this.#options.group.name;
    const lines = [...rows.map(({ group_token: _, ...row }) => ({ ...row, group_name })), WRONG_ROW];
    const { data, status, text } = await this.#calls.persistently<ImportState>({
      method: 'POST',
      path: '/api/v1/clients-imports/',
      headers: { authorization: this.#authorization(), 'content-type': 'application/x-ndjson' },
      body: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    });
    if (status !== 202) throw new Error(`an import answered ${status}: ${text.slice(0, 300)}`);
    const deadline = performance.now() + IMPORT_TIMEOUT_MS;
    while (performance.now() < deadline) {
      const path = `/api/v1/clients-imports/${data.import_id}/`;
      const headers = { authorization: this.#authorization() };
      const current = (await this.#calls.persistently<ImportState>({ path, headers })).data;
      if (!['queued', 'running'].includes(current.state)) return current;
      await sleep(POLL_MS);
    }
    throw new Error(`an import did not end within ${IMPORT_TIMEOUT_MS / 1000} s`);
  }

  /** For every export, because a member who signed in ten minutes ago must enter the password again. */
  async #signIn(): Promise<string> {
    const answer = await this.#calls.persistently({
      method: 'POST',
      path: '/console/session',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: OWNER, password: PASSWORD }),
      onDashboard: true,
    });
    if (answer.status !== 200) throw new Error(`signing in answered ${answer.status}`);
    return answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  }
}
