// Lets one process at a time install or build in this folder, and records an installation that was interrupted.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { explainFileError } from './remedies.mjs';
import { inCache, log } from './setup.mjs';

const lockFile = inCache('setup.json');

/** Identifies a running process by its ID and, on Linux, its start time, because IDs are used again. */
export function identifyProcess(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code !== 'EPERM') return undefined;
  }
  try {
    const [state, ...fields] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    // A zombie has ended.
    return state === 'Z' ? undefined : `${pid} ${fields[18]}`;
  } catch {
    return `${pid}`;
  }
}

const isRunning = (id) => id && identifyProcess(Number(id.split(' ')[0])) === id;

const readText = () => {
  try {
    return readFileSync(lockFile, 'utf8');
  } catch {
    return undefined;
  }
};

/** A file without content was created by a process that ended before it wrote. */
const parse = (text) => (text ? JSON.parse(text) : { processes: [] });

const write = (content, flag) => writeFileSync(lockFile, JSON.stringify(content), { flag });

function create(content) {
  try {
    mkdirSync(inCache(), { recursive: true });
    write(content, 'wx');
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw explainFileError(error);
  }
}

/** Waits until this process has the lock. Returns what an interrupted process was doing. */
async function lock(own) {
  let interrupted;
  let isReported = false;
  for (;;) {
    if (create({ processes: [own], doing: interrupted })) {
      // Two processes can find the same abandoned file, and one delete the other's.
      if (interrupted) await wait(100);
      if (parse(readText()).processes[0] === own) return interrupted;
    }
    const text = readText();
    if (text === undefined) continue;
    const { processes, doing } = parse(text);
    if (processes.some(isRunning)) {
      if (!isReported) log('Another process installs or builds in this folder: waiting until it has finished …');
      isReported = true;
      await wait(250);
    } else {
      // A file without content may be about to be written.
      if (text === '') await wait(500);
      if (readText() !== text) continue;
      interrupted = doing;
      rmSync(lockFile, { force: true });
    }
  }
}

/**
 * Runs `work(interrupted, record)` while no other process installs or builds in this folder.
 * `record(doing, children)` notes what the next process has to know if this one ends meanwhile: it receives it as
 * `interrupted`, after these children have ended too.
 */
export async function runAlone(work) {
  const own = identifyProcess(process.pid);
  let doing = await lock(own);
  const record = (now, children = []) => {
    doing = now;
    write({ processes: [own, ...children], doing });
  };
  try {
    return await work(doing, record);
  } catch (error) {
    throw explainFileError(error);
  } finally {
    // After a failure the file remains, so that the next start continues.
    if (!doing) rmSync(lockFile, { force: true });
  }
}
