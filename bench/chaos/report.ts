import { setTimeout as wait } from 'node:timers/promises';
import { formatTable } from '../harness/results.ts';

/** What writes while faults are injected, and counts what was acknowledged. */
interface Load {
  acknowledged: { size: number };
  failures: number;
  waitForSuccess(): Promise<number>;
}

/** A longer recovery counts as a failure. */
const MAX_RECOVERY_MS = 60_000;
/** Waits go on for longer than that, so that a busy machine still prints a whole table. */
export const TIMEOUT_MS = 300_000;

interface Outcome {
  fault: string;
  acknowledged: number;
  failures: number;
  /** Acknowledged but not stored; counted once for all faults of a part. */
  lost: number | undefined;
  /** Milliseconds from the end of the fault to the next acknowledged write, for each repetition. */
  recoveries: number[];
}

const outcomes: Outcome[] = [];

export const printLine = (line: string): void => void process.stderr.write(`${line}\n`);

/** Injects a fault several times under load; `inject` returns when the fault is over. */
export async function injectFault(
  fault: string,
  load: Load,
  repetitions: number,
  inject: () => Promise<void>,
): Promise<void> {
  printLine(`${fault} …`);
  const [acknowledged, failures] = [load.acknowledged.size, load.failures];
  const recoveries: number[] = [];
  for (let n = 0; n < repetitions; n += 1) {
    await wait(500);
    await inject();
    recoveries.push(await load.waitForSuccess());
  }
  outcomes.push({
    fault,
    acknowledged: load.acknowledged.size - acknowledged,
    failures: load.failures - failures,
    lost: undefined,
    recoveries,
  });
}

export const addDuration = (fault: string, milliseconds: number): void =>
  void outcomes.push({ fault, acknowledged: 0, failures: 0, lost: undefined, recoveries: [milliseconds] });

/** Compares what the portal acknowledged with the number of these sessions that are stored. */
export const addTotal = (name: string, { acknowledged, failures }: Load, stored: number): void =>
  void outcomes.push({
    fault: name,
    acknowledged: acknowledged.size,
    failures,
    lost: acknowledged.size - stored,
    recoveries: [0],
  });

/** The outcomes as a table. */
export function formatReport(): string {
  const formatLongest = (times: readonly number[]) =>
    times.every((time) => time === 0) ? '' : `${Math.round(Math.max(...times))} ms`;
  return formatTable([
    ['Fault', 'Acknowledged', 'Failed', 'Lost', 'Longest recovery'],
    ...outcomes.map(({ fault, acknowledged, failures, lost, recoveries }) => [
      fault,
      String(acknowledged || ''),
      String(failures || ''),
      lost === undefined ? '' : String(lost),
      formatLongest(recoveries),
    ]),
  ]);
}

/** Returns whether nothing was lost and each recovery was fast enough. */
export const hasPassed = (): boolean =>
  outcomes.every(({ lost = 0, recoveries }) => lost === 0 && recoveries.every((time) => time < MAX_RECOVERY_MS));
