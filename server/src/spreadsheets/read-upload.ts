import type { ErrorName } from '#contract/errors.ts';
import { AppError } from '../errors.ts';
import { WorkerLimitExceeded, type WorkerTasks, runInWorker } from '../workers/worker-pool.ts';
import type { FileFailure } from './workbook.ts';

/** The limits for reading and understanding one list: 5,000 rows of 20 columns take a second. */
const LIMITS = { cpuMs: 5000, uploadHeapMb: 160 };

const FAILURES: Record<FileFailure, ErrorName> = {
  wrong_type: 'file_wrong_type',
  with_macros: 'file_with_macros',
  empty: 'file_empty',
  protected: 'file_protected',
  damaged: 'file_damaged',
  too_complex: 'file_too_complex',
  too_many_rows: 'file_too_many_rows',
  not_understood: 'file_not_understood',
};

/** The tasks that read a list. */
type ListTask = 'readPupilList' | 'readStaffFile';

/** Reads a list in a worker. If it cannot be read, throws a message for people. */
export async function readList<Name extends ListTask>(
  task: Name,
  input: Parameters<WorkerTasks[Name]>[0],
): Promise<ReturnType<WorkerTasks[Name]>> {
  try {
    return (await runInWorker(task, input as never, LIMITS)) as ReturnType<WorkerTasks[Name]>;
  } catch (error) {
    if (error instanceof WorkerLimitExceeded) throw new AppError('file_too_complex');
    const failure = (error as { failure?: FileFailure }).failure;
    if (failure) throw new AppError(FAILURES[failure]);
    throw error;
  }
}
