import { arch, cpus, platform, totalmem } from 'node:os';

/** The kind of machine, without anything that identifies it. */
export function machineKind() {
  return {
    platform: `${platform()}-${arch()}`,
    cores: cpus().length,
    processor: cpus()[0]?.model.trim() || 'unknown',
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
  };
}
