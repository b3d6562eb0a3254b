import { readFileSync, readlinkSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the owner of a data folder is doing. A command, such as a restore, is `busy`. */
export type OwnerState = 'busy' | 'starting' | 'serving' | 'stopping';

/**
 * Identifies a process so that another one can tell whether it still runs. Only valid where both count processes in the
 * same way.
 */
interface ProcessIdentity {
  pid: number;
  started: string;
  machine: string;
}

/** The process that uses a data folder, as stored in the folder. */
export interface FolderOwner extends Partial<ProcessIdentity> {
  state?: OwnerState;
  /** Device and inode of the folder, which differ in a copy of it. */
  place?: string;
  /** The portal's address, while it serves. */
  url?: string;
}

/** The process according to the system; undefined when it does not run or the system does not tell. */
function describeProcess(pid: number): ProcessIdentity | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in brackets, may contain anything; numbers follow it, among them the start time in ticks.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { pid, started: fields[19] ?? '', machine: `${boot} ${readlinkSync('/proc/self/ns/pid')}` };
  } catch {
    return undefined;
  }
}

function findPlace(folder: string): string {
  const { dev, ino } = statSync(folder);
  return `${dev} ${ino}`;
}

const pathOf = (folder: string): string => join(folder, 'in-use.json');

/** The process that a data folder names as its owner; undefined if none is recorded. */
export function readOwner(folder: string): FolderOwner | undefined {
  try {
    return JSON.parse(readFileSync(pathOf(folder), 'utf8')) as FolderOwner;
  } catch {
    return undefined;
  }
}

/**
 * Returns whether the owner that a folder names certainly runs, has certainly stopped, or may do either. In a copy of a
 * folder, the record names the owner of the original.
 */
export function checkOwner(folder: string, owner: FolderOwner | undefined): 'running' | 'gone' | 'unknown' {
  if (!owner?.pid || owner.machine !== describeProcess(process.pid)?.machine) return 'unknown';
  if (owner.place !== undefined && owner.place !== findPlace(folder)) return 'gone';
  return describeProcess(owner.pid)?.started === owner.started ? 'running' : 'gone';
}

/** Records this process as the owner of a data folder. Other processes never see an incomplete record. */
export function recordOwner(folder: string, state: OwnerState, url?: string): void {
  const owner: FolderOwner = {
    ...(describeProcess(process.pid) ?? { pid: process.pid }),
    place: findPlace(folder),
    state,
    ...(url && { url }),
  };
  const partial = `${pathOf(folder)}.${process.pid}`;
  writeFileSync(partial, JSON.stringify(owner));
  renameSync(partial, pathOf(folder));
}

/** Removes the record of this process. Another process that shares the folder may have recorded itself meanwhile. */
export function removeOwner(folder: string): void {
  if (readOwner(folder)?.pid === process.pid) rmSync(pathOf(folder), { force: true });
}

/** The portal that serves from a data folder; undefined if there is none, or if its process has certainly stopped. */
export function findServingPortal(folder: string): { url: string; pid: number | undefined } | undefined {
  const owner = readOwner(folder);
  return owner?.url && checkOwner(folder, owner) !== 'gone' ? { url: owner.url, pid: owner.pid } : undefined;
}
