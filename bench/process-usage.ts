import { readFileSync } from 'node:fs';

/** Linux counts a process's time in ticks of this many milliseconds. */
const TICK_MS = 10;

/**
 * Milliseconds of processor time that a process has used, all of its threads together. Unlike answers a second it does
 * not depend on what else runs on the machine, the load itself included.
 */
export function processorTime(pid: number): number {
  // After the name, which may hold spaces: fields 14 and 15 of proc_pid_stat(5), user and system.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** The same to the microsecond, of a process with one thread: a backend of PostgreSQL. */
export const backendTime = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1_000_000;

/** Megabytes of memory that a process has had at most, all of its threads together: `VmHWM` of proc_pid_status(5). */
export function peakMemory(pid: number): number {
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}
