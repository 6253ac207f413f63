import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { chownSync, createWriteStream, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, type TestContext } from 'vitest';
import { freePort } from '../e2e/free-port.ts';
import { childrenOf } from '../e2e/processes.ts';

const POSTGRES_FOLDER = '/usr/lib/postgresql/15/bin';
const PASSWORD = 'correct-horse';
const NAMES = ['one', 'two'] as const;

/** As Patroni's documentation has them in their proportions, but shorter, so that a test does not take minutes. */
const TIMES = { ttl: 20, loop_wait: 5, retry_timeout: 5 };

interface Member {
  name: string;
  port: number;
  restPort: number;
  folder: string;
}

/** Two PostgreSQL servers that Patroni manages, with etcd, and HAProxy as the address that leads to the primary. */
export class PatroniCluster {
  readonly #members: Member[];
  readonly #folder: string;
  readonly #port: number;
  readonly #processes = new Map<string, ChildProcess>();

  private constructor(folder: string, port: number, members: Member[]) {
    this.#folder = folder;
    this.#port = port;
    this.#members = members;
  }

  static async start(context: TestContext, isSynchronous: boolean): Promise<PatroniCluster> {
    requireInstalled(context);
    const folder = mkdtempSync(join(tmpdir(), 'rollcall-patroni-'));
    giveToPostgres(folder);
    const [etcdPort, peerPort, port] = [await freePort(), await freePort(), await freePort()];
    const members: Member[] = [];
    for (const name of NAMES) {
      members.push({ name, port: await freePort(), restPort: await freePort(), folder: join(folder, name) });
    }
    const cluster = new PatroniCluster(folder, port, members);
    onTestFinished(() => cluster.#stop());
    cluster.#startEtcd(etcdPort, peerPort);
    await expect.poll(() => answers(`http://127.0.0.1:${etcdPort}/health`)).toBe(true);
    for (const member of members) {
      mkdirSync(member.folder);
      giveToPostgres(member.folder);
      writeFileSync(cluster.#settingsOf(member), patroniSettings(member, etcdPort, isSynchronous));
      cluster.startMember(member.name);
    }
    cluster.#startHaproxy();
    await expect.poll(() => cluster.primary()).toBeDefined();
    await cluster.isComplete(isSynchronous);
    return cluster;
  }

  url(database = 'postgres'): string {
    return `postgres://postgres:${PASSWORD}@127.0.0.1:${this.#port}/${database}`;
  }

  /** The name of the primary, if there is one. */
  async primary(): Promise<string | undefined> {
    for (const { name, restPort } of this.#members) {
      if (await answers(`http://127.0.0.1:${restPort}/primary`)) return name;
    }
    return undefined;
  }

  /** Waits until the other server follows the primary. */
  async isComplete(isSynchronous: boolean): Promise<void> {
    const path = isSynchronous ? 'synchronous' : 'replica';
    const followers = async () => {
      const ready = await Promise.all(
        this.#members.map(({ restPort }) => answers(`http://127.0.0.1:${restPort}/${path}`)),
      );
      return ready.filter(Boolean).length;
    };
    await expect.poll(followers, { timeout: 300_000 }).toBe(1);
  }

  /** Asks Patroni to exchange the roles, as an administrator does before maintenance. */
  switchOver(): void {
    const [member] = this.#members as [Member];
    execFileSync('patronictl', ['-c', this.#settingsOf(member), 'switchover', '--force'], { stdio: 'pipe' });
  }

  /** Kills Patroni and every process of PostgreSQL of a server at once, as when the machine fails. */
  killMember(name: string): void {
    const { folder } = this.#member(name);
    const postmaster = Number.parseInt(readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8'), 10);
    const patroni = this.#processes.get(name)?.pid ?? 0;
    // The server first stops, so that it starts no further processes.
    process.kill(postmaster, 'SIGSTOP');
    for (const pid of [patroni, ...childrenOf(postmaster), postmaster]) kill(pid);
  }

  startMember(name: string): void {
    this.#start(name, 'patroni', [this.#settingsOf(this.#member(name))]);
  }

  #member(name: string): Member {
    const member = this.#members.find((each) => each.name === name);
    if (!member) throw new Error(`no member ${name}`);
    return member;
  }

  #settingsOf({ name }: Member): string {
    return join(this.#folder, `${name}.yml`);
  }

  #startEtcd(port: number, peerPort: number): void {
    const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`];
    this.#start('etcd', 'etcd', [
      '--enable-v2',
      `--data-dir=${join(this.#folder, 'etcd')}`,
      `--listen-client-urls=${client}`,
      `--advertise-client-urls=${client}`,
      `--listen-peer-urls=${peer}`,
      `--initial-advertise-peer-urls=${peer}`,
      `--initial-cluster=default=${peer}`,
    ]);
  }

  /** As Patroni's documentation recommends it: connections to a server that is no longer the primary are closed. */
  #startHaproxy(): void {
    const servers = this.#members.map(
      ({ name, port, restPort }) => `  server ${name} 127.0.0.1:${port} maxconn 100 check port ${restPort}`,
    );
    const settings = `defaults
  mode tcp
  retries 2
  timeout connect 4s
  timeout client 30m
  timeout server 30m
  timeout check 5s
listen primary
  bind 127.0.0.1:${this.#port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 3 rise 2 on-marked-down shutdown-sessions
${servers.join('\n')}
`;
    const file = join(this.#folder, 'haproxy.cfg');
    writeFileSync(file, settings);
    this.#start('haproxy', 'haproxy', ['-db', '-f', file]);
  }

  #start(name: string, command: string, args: string[]): void {
    const log = createWriteStream(join(this.#folder, `${name}.log`), { flags: 'a' });
    const env = { PATH: process.env.PATH ?? '', ETCD_UNSUPPORTED_ARCH: 'arm64', LC_ALL: 'C.UTF-8' };
    const child = spawn(command, args, { cwd: this.#folder, env, stdio: ['ignore', 'pipe', 'pipe'], ...asPostgres() });
    child.stdout.pipe(log, { end: false });
    child.stderr.pipe(log, { end: false });
    this.#processes.set(name, child);
  }

  #stop(): void {
    for (const { name, folder } of this.#members) {
      this.#processes.get(name)?.kill('SIGKILL');
      spawnSync(join(POSTGRES_FOLDER, 'pg_ctl'), ['-D', join(folder, 'data'), '-m', 'immediate', 'stop'], asPostgres());
    }
    for (const child of this.#processes.values()) child.kill('SIGKILL');
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

function requireInstalled({ skip }: TestContext): void {
  for (const [command, argument] of [
    ['patroni', '--version'],
    ['etcd', '--version'],
    ['haproxy', '-v'],
    [join(POSTGRES_FOLDER, 'postgres'), '--version'],
  ] as const) {
    if (spawnSync(command, [argument]).error) skip(`${command} is not installed here`);
  }
}

function patroniSettings({ name, port, restPort, folder }: Member, etcdPort: number, isSynchronous: boolean): string {
  return JSON.stringify({
    scope: 'rollcall',
    name,
    restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
    etcd3: { host: `127.0.0.1:${etcdPort}` },
    bootstrap: {
      dcs: {
        ...TIMES,
        maximum_lag_on_failover: 1_048_576,
        synchronous_mode: isSynchronous,
        postgresql: { use_pg_rewind: true, parameters: { max_connections: 100, wal_log_hints: 'on' } },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: join(folder, 'data'),
      bin_dir: POSTGRES_FOLDER,
      pgpass: join(folder, 'pgpass'),
      pg_hba: [
        'local all all trust',
        'host all all 127.0.0.1/32 scram-sha-256',
        'host replication all 127.0.0.1/32 scram-sha-256',
      ],
      authentication: {
        superuser: { username: 'postgres', password: PASSWORD },
        replication: { username: 'replicator', password: PASSWORD },
        rewind: { username: 'rewinder', password: PASSWORD },
      },
      parameters: { unix_socket_directories: folder },
    },
  });
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It has ended by itself.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(2000) })).ok;
  } catch {
    // It is not running yet, or no longer.
    return false;
  }
}

/** PostgreSQL refuses to run as root. */
function asPostgres(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

function giveToPostgres(path: string): void {
  const { uid, gid } = asPostgres();
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
}
