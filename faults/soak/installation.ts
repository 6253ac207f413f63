import { join } from 'node:path';
import { Program } from '../../e2e/program.ts';
import { createTestAccount } from '../../e2e/test-account.ts';
import { PostgresServer } from '../../packages/server/src/testing/postgres-server.ts';
import { type StorageSample, sampleFile, sampleServer } from './samples.ts';
import { type EngineName, type Node, startNodes } from './service.ts';

/** A database with an account, and the nodes that serve it. */
export interface Installation {
  program: Program;
  nodes: readonly Node[];
  sampleStorage(): StorageSample | Promise<StorageSample>;
  /** Ends everything and removes the data. */
  remove(): Promise<void>;
}

export async function install(engine: EngineName): Promise<Installation> {
  const cleanUps: (() => Promise<void> | void)[] = [];
  // No process may outlive the run, however it ends. What these begin is enough: nothing is waited for then.
  process.once('exit', () => {
    for (const cleanUp of cleanUps) void cleanUp();
  });
  const remove = async () => {
    while (cleanUps.length > 0) await cleanUps.pop()?.();
  };
  try {
    const server = engine === 'postgres' ? await PostgresServer.start() : undefined;
    if (server) cleanUps.push(() => server.stop());
    const program = newProgram(server, (cleanUp) => cleanUps.push(cleanUp));
    await createTestAccount(program);
    const nodes = await startNodes(engine, program);
    const file = join(program.folder, 'data', 'rollcall.db');
    return { program, nodes, sampleStorage: () => (server ? sampleServer(server) : sampleFile(file)), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** With default settings, except that the ports are free ones. */
function newProgram(server: PostgresServer | undefined, onFinished: (cleanUp: () => Promise<void> | void) => void) {
  const database = server ? { ROLLCALL_DATABASE_URL: server.url() } : {};
  const program = new Program(database, onFinished);
  delete program.environment.ROLLCALL_DRAIN_SECONDS;
  return program;
}
