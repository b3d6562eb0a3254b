import { listZip, unzip, type ZipEntry } from '../../../spreadsheets/zip.ts';
import { SchoolRecordsFileError } from './file-content.service.ts';

const MAX_ENTRIES = 100;

/** The files of a ZIP file, without those that Macs add. Throws a SchoolRecordsFileError. */
export function listFiles(content: Buffer): ZipEntry[] {
  const entries = listZip(content);
  if (!entries) throw new SchoolRecordsFileError('This ZIP file is damaged or incomplete.');
  if (entries.length > MAX_ENTRIES)
    throw new SchoolRecordsFileError(`This ZIP file has more than ${MAX_ENTRIES} files.`);
  if (entries.some(({ encrypted }) => encrypted)) throw new SchoolRecordsFileError('This ZIP file has a password.');
  return entries.filter(({ name }) => !/(^|\/)(__MACOSX\/|\.[^/]*$)|\/$/.test(name));
}

/** Unpacks a file. Throws a SchoolRecordsFileError. */
export function unpack(content: Buffer, entry: ZipEntry, maxBytes: number): Buffer {
  if (entry.size > maxBytes)
    throw new SchoolRecordsFileError(`The file in this ZIP file is larger than ${maxBytes / 1024 / 1024} MB unpacked.`);
  const unpacked = unzip(content, entry);
  if (!unpacked) throw new SchoolRecordsFileError('The file in this ZIP file is damaged.');
  return unpacked;
}
