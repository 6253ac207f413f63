import { readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

/** Seconds of processor time that a process and its workers have used so far; unknown where there is no /proc. */
export function cpuSeconds(pid: number): number | undefined {
  const own = ownCpuSeconds(pid);
  return own === undefined ? undefined : childrenOf(pid).reduce((sum, child) => sum + (ownCpuSeconds(child) ?? 0), own);
}

function ownCpuSeconds(pid: number): number | undefined {
  const stat = read(pid, 'stat');
  if (stat === undefined) return undefined;
  // The name of the program stands in brackets and may hold anything, so count from behind it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Megabytes in memory: `now`, and the most there ever was. */
export function residentMb(pid: number): { now: number; peak: number } | undefined {
  const status = read(pid, 'status');
  if (status === undefined) return undefined;
  const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]);
  return { now: Math.round(kilobytes('VmRSS') / 1024), peak: Math.round(kilobytes('VmHWM') / 1024) };
}

/** The processes that it started and that still run; none where there is no /proc. */
export function childrenOf(pid: number): number[] {
  return (read(pid, `task/${pid}/children`) ?? '').split(' ').filter(Boolean).map(Number);
}

function read(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return undefined;
  }
}
