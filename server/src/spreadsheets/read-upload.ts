import type { ErrorName } from '#contract/errors.ts';
import { AppError } from '../errors.ts';
import { WorkerLimitExceeded, runInWorker } from '../workers/worker-pool.ts';
import type { FileFailure, Workbook } from './workbook.ts';

/** The limits for reading one upload. */
const LIMITS = { cpuMs: 1500, uploadHeapMb: 160 };

const FAILURES: Record<FileFailure, ErrorName> = {
  wrong_type: 'file_wrong_type',
  with_macros: 'file_with_macros',
  empty: 'file_empty',
  protected: 'file_protected',
  damaged: 'file_damaged',
  too_complex: 'file_too_complex',
  too_many_rows: 'file_too_many_rows',
};

/** Reads a file in a worker. If it cannot be read, throws a message for people. */
export const readFile = (file: { name: string; content: Uint8Array }): Promise<Workbook> =>
  withReadableError(runInWorker('readWorkbook', file, LIMITS));

/** The same for pasted text. */
export const readText = (text: string): Promise<Workbook> => withReadableError(runInWorker('readPasted', text, LIMITS));

async function withReadableError(reading: Promise<Workbook>): Promise<Workbook> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof WorkerLimitExceeded) throw new AppError('file_too_complex');
    const failure = (error as { failure?: FileFailure }).failure;
    if (failure) throw new AppError(FAILURES[failure]);
    throw error;
  }
}
