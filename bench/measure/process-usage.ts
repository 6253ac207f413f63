import { readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

/** The processor time, in seconds, of a process and its workers, also of those that ended; unknown on systems without /proc. */
export function cpuSeconds(pid: number): number | undefined {
  const own = ownCpuSeconds(pid);
  return own === undefined ? undefined : childrenOf(pid).reduce((sum, child) => sum + (ownCpuSeconds(child) ?? 0), own);
}

function ownCpuSeconds(pid: number): number | undefined {
  const stat = read(pid, 'stat');
  if (stat === undefined) return undefined;
  // The name of the program is in brackets and may contain anything, so the fields are counted from after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // The time in the program and in the system, and both again for child processes that have ended.
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND;
}

/** The process that started this one; unknown on systems without /proc, and if the process is on another machine. */
export function parentOf(pid: number, name: string): number | undefined {
  const status = read(pid, 'status');
  if (status === undefined || !status.startsWith(`Name:\t${name}\n`)) return undefined;
  return Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]);
}

/** The resident memory of a process in megabytes: now, and the peak. */
export function residentMb(pid: number): { now: number; peak: number } | undefined {
  const status = read(pid, 'status');
  if (status === undefined) return undefined;
  const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]);
  return { now: Math.round(kilobytes('VmRSS') / 1024), peak: Math.round(kilobytes('VmHWM') / 1024) };
}

/** The running child processes of a process; none on systems without /proc. */
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
