import type { ImportRowInput } from '#contract/calls/pupil-import.ts';
import type { ColumnRole } from '#contract/calls/pupil-import.ts';
import type { ErrorName } from '#contract/errors.ts';
import { LimitReached, runAside } from '../../files/aside.ts';
import { type FileFailure, type Workbook, workbookModule } from '../../files/workbook.ts';
import { AppError } from '../../http/errors.ts';
import type { UploadedFile } from '../../http/upload.ts';
import { type Roll, turnName, understandWorkbook } from './roll.service.ts';

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

async function readAside(name: 'readWorkbook' | 'readPasted', input: unknown): Promise<Workbook> {
  try {
    return await runAside<Workbook>(workbookModule, name, input, LIMITS);
  } catch (error) {
    if (error instanceof LimitReached) throw new AppError('file_too_complex');
    const failure = (error as { failure?: FileFailure }).failure;
    if (failure) throw new AppError(FAILURES[failure]);
    throw error;
  }
}

/** What a person hands in: a file, pasted text, or rows. */
export interface Given {
  upload: UploadedFile | undefined;
  text?: string | undefined;
  readers?: readonly ImportRowInput[] | undefined;
  roles?: readonly ColumnRole[] | undefined;
  /** The request names a class for all. */
  classChosen: boolean;
  /** Where `errors` finds the rows: `readers`. */
  path: string;
}

/** The roll in what was handed in; undefined when nothing was. Throws why a file cannot be read. */
export async function readRoll({ upload, text, readers, roles, classChosen, path }: Given): Promise<Roll | undefined> {
  if (upload) return understandWorkbook(await readAside('readWorkbook', { name: upload.name, content: upload.content }), { roles, classChosen });
  if (text !== undefined) return understandWorkbook(await readAside('readPasted', text), { roles, classChosen });
  if (!readers) return undefined;
  const rows = readers.flatMap((reader, index) => {
    const name = turnName(reader.name.replace(/\s+/g, ' ').trim());
    if (name === '') return [];
    return [{ sheet: '', row: index + 1, name, class: reader.class ?? null, classId: reader.group_id ?? null, namesake: reader.namesake ?? false, path: `${path}.${index}` }];
  });
  return { format: 'rows', sheets: [], rows };
}
