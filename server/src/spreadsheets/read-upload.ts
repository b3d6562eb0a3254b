import type { ErrorName } from '#contract/errors.ts';
import { AppError } from '../http/errors.ts';
import { WorkerLimitExceeded, runInWorker } from '../workers/worker-pool.ts';
import { type FileFailure, type Workbook, workbookModule } from './workbook.ts';

/** What reading one upload may use: milliseconds of a processor, megabytes of heap. */
const LIMITS = { work: 1500, memory: 256 };

const FAILURES: Record<FileFailure, ErrorName> = {
  wrong_type: 'file_wrong_type',
  with_macros: 'file_with_macros',
  empty: 'file_empty',
  protected: 'file_protected',
  damaged: 'file_damaged',
  too_complex: 'file_too_complex',
  too_many_rows: 'file_too_many_rows',
};

/** Reads an upload or pasted text in a thread of its own. Throws why it cannot be read, in words for a person. */
export async function readSheets(name: 'readWorkbook' | 'readPasted', input: unknown): Promise<Workbook> {
  try {
    return await runInWorker<Workbook>(workbookModule, name, input, LIMITS);
  } catch (error) {
    if (error instanceof WorkerLimitExceeded) throw new AppError('file_too_complex');
    const failure = (error as { failure?: FileFailure }).failure;
    if (failure) throw new AppError(FAILURES[failure]);
    throw error;
  }
}
