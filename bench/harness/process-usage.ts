import { readFileSync } from 'node:fs';

/** Linux counts a process's time in ticks of this many milliseconds. */
const TICK_MS = 10;

/**
 * Processor time used by a process with all its threads, in milliseconds. Unlike a rate, it does not depend on other
 * processes on the machine, including the load generator.
 */
export function processorTime(pid: number): number {
  // Fields 14 and 15 (user and system) of proc_pid_stat(5), after the name, which can contain spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** The same to the microsecond, for a process with one thread such as a PostgreSQL backend. */
export const backendTime = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1_000_000;

/** A line of proc_pid_status(5), in megabytes. */
function readStatus(pid: number, name: string): number {
  const line = readFileSync(`/proc/${pid}/status`, 'utf8')
    .split('\n')
    .find((one) => one.startsWith(`${name}:`));
  return Number(line?.match(/\d+/)?.[0]) / 1024;
}

/** Peak memory of a process in megabytes. */
export const peakMemory = (pid: number): number => readStatus(pid, 'VmHWM');

/** Current memory of a process in megabytes. */
export const residentMemory = (pid: number): number => readStatus(pid, 'VmRSS');
