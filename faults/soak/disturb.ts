import { setTimeout as sleep } from 'node:timers/promises';
import type { EngineName, Node } from './service.ts';
import type { Statistics } from './statistics.ts';

/** How often nodes and workers are disturbed, in seconds. Short runs disturb more often. */
export interface Schedule {
  /** A worker is killed on SQLite; on PostgreSQL, the first node is killed or restarted, in turns. */
  often: number;
  /** The node is restarted on SQLite, and the second node on PostgreSQL. */
  rarely: number;
}

export interface Disturbances {
  kills: number;
  restarts: number;
}

/** Kills and restarts processes until the end. */
export async function disturb(
  engine: EngineName,
  nodes: readonly Node[],
  schedule: Schedule,
  statistics: Statistics,
  until: () => boolean,
): Promise<Disturbances> {
  const done: Disturbances = { kills: 0, restarts: 0 };
  const [first, last] = [nodes.at(0), nodes.at(-1)] as [Node, Node];
  const restart = (node: Node) => {
    done.restarts++;
    return node.restart();
  };
  const kill = () => {
    done.kills++;
    return engine === 'sqlite' ? first.killWorker() : first.killAndStart();
  };
  const disturbNext = (second: number) => {
    if (second % schedule.rarely === 0) return restart(last);
    if (second % schedule.often !== 0) return undefined;
    const isKill = engine === 'sqlite' || (second / schedule.often) % 2 === 1;
    return isKill ? kill() : restart(first);
  };
  for (let second = 1; !until(); second++) {
    await sleep(1000);
    await disturbNext(second)?.catch((error: Error) => statistics.failed(error.message));
  }
  return done;
}
