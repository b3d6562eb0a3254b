import type { ImportRowInput } from '#contract/calls/pupil-import.ts';
import type { ColumnRole } from '#contract/calls/pupil-import.ts';
import { readFile, readText } from '../../spreadsheets/read-upload.ts';
import type { UploadedFile } from '../../http/upload.ts';
import { type ParsedImport, turnName, understandWorkbook } from './parser.service.ts';

/** What a person hands in: a file, pasted text, or rows. */
export interface ImportInput {
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
export async function parseImport({
  upload,
  text,
  readers,
  roles,
  classChosen,
  path,
}: ImportInput): Promise<ParsedImport | undefined> {
  if (upload)
    return understandWorkbook(await readFile(upload), {
      roles,
      classChosen,
    });
  if (text !== undefined) return understandWorkbook(await readText(text), { roles, classChosen });
  if (!readers) return undefined;
  const rows = readers.flatMap((reader, index) => {
    const name = turnName(reader.name.replace(/\s+/g, ' ').trim());
    if (name === '') return [];
    return [
      {
        sheet: '',
        row: index + 1,
        name,
        class: reader.class ?? null,
        classId: reader.group_id ?? null,
        namesake: reader.namesake ?? false,
        path: `${path}.${index}`,
      },
    ];
  });
  return { format: 'rows', sheets: [], rows };
}
