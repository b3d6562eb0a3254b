import { IMPORT_ROWS } from '#contract/calls/pupil-import.ts';
import { MAX_SCHOOL_RECORDS_BYTES } from '#contract/calls/school-records.ts';
import { readCtf } from './ctf.service.ts';
import { isManifest, readOneRoster } from './oneroster-csv.service.ts';
import { type FileReading, SchoolRecordsFileError } from './file-content.service.ts';
import { listFiles, unpack } from './zip-files.service.ts';

declare module '../../../workers/worker-pool.ts' {
  interface WorkerTasks {
    readSchoolRecords: typeof readSchoolRecords;
  }
}

/** The classes of a file that pupils are in. */
export const MAX_CLASSES = 500;

interface Reading {
  /** YYYY-MM-DD; what ended before it is left out. */
  today: string;
  /** The ID of the school to read, of several; null without a choice. */
  school: string | null;
}

/**
 * Reads a OneRoster bundle, or a Common or Admissions Transfer File, also inside a ZIP file, by its content. Run it in a
 * worker: it may take long and use much memory. Throws a SchoolRecordsFileError.
 */
export function readSchoolRecords({ content, ...reading }: { content: Uint8Array } & Reading): FileReading {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b;
  const result = isZip ? readZip(bytes, reading) : { schools: [], file: readCtf(bytes, reading.today) };
  const { file } = result;
  if (!file) return result;
  const present = file.pupils.filter(({ isGone, name }) => !isGone && name !== null).length;
  if (present === 0 && (file.isComplete || file.pupils.length === 0)) {
    const [fault] = file.notes;
    throw new SchoolRecordsFileError(
      `There are no pupils in this file${file.pupils.length > 0 && fault ? ` who can be read. ${fault}` : '.'} Nothing was changed.`,
    );
  }
  if (present > IMPORT_ROWS)
    throw new SchoolRecordsFileError(`This file has more than ${IMPORT_ROWS.toLocaleString('en-GB')} pupils.`);
  if (file.classes.length > MAX_CLASSES)
    throw new SchoolRecordsFileError(`This file has more than ${MAX_CLASSES} classes.`);
  return result;
}

function readZip(content: Buffer, { today, school }: Reading): FileReading {
  const files = listFiles(content);
  if (files.some(isManifest)) return readOneRoster(content, files, { today, school });
  const [transferFile, ...others] = files.filter(({ name }) => /\.xml$/i.test(name));
  if (!transferFile || others.length > 0)
    throw new SchoolRecordsFileError(
      'There is no manifest.csv in this ZIP file, so it is not a OneRoster bundle. For a Common Transfer File, it must contain one XML file.',
    );
  return { schools: [], file: readCtf(unpack(content, transferFile, MAX_SCHOOL_RECORDS_BYTES), today) };
}
