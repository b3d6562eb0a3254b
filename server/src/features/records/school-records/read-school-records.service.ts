import { IMPORT_ROWS } from '#contract/calls/pupil-import.ts';
import { readCtf } from './ctf.service.ts';
import { readOneRoster } from './oneroster-csv.service.ts';
import { type SchoolRecordsFile, SchoolRecordsFileError } from './file-content.service.ts';

declare module '../../../workers/worker-pool.ts' {
  interface WorkerTasks {
    readSchoolRecords: typeof readSchoolRecords;
  }
}

/** The classes of a file that pupils are in. */
export const MAX_CLASSES = 500;

/**
 * Reads a OneRoster bundle or a Common Transfer File by its content. Run it in a worker: it may take long and use much
 * memory. Throws a SchoolRecordsFileError.
 * @param today YYYY-MM-DD; what ended before it is left out
 */
export function readSchoolRecords({ content, today }: { content: Uint8Array; today: string }): SchoolRecordsFile {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b;
  const file = isZip ? readOneRoster(bytes, today) : readCtf(bytes, today);
  if (!file.pupils.some(({ isGone, name }) => !isGone && name !== null) && file.isComplete)
    throw new SchoolRecordsFileError('There are no pupils in this file. Nothing was changed.');
  if (file.pupils.length === 0)
    throw new SchoolRecordsFileError('There are no pupils in this file. Nothing was changed.');
  if (file.pupils.length > IMPORT_ROWS)
    throw new SchoolRecordsFileError(`This file has more than ${IMPORT_ROWS.toLocaleString('en-GB')} pupils.`);
  if (file.classes.length > MAX_CLASSES)
    throw new SchoolRecordsFileError(`This file has more than ${MAX_CLASSES} classes.`);
  return file;
}
