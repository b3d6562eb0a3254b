import type { ColumnRole, ImportRowInput } from '#contract/calls/pupil-import.ts';
import { dayIn } from '../../../clock.ts';
import { readInSchool } from '../../../database/school.ts';
import type { Services, StaffSession } from '../../../context.ts';
import { readFile, readText } from '../../../spreadsheets/read-upload.ts';
import type { UploadedFile } from '../../../http/upload.ts';
import { getColumnKnowledge } from './import-columns.queries.ts';
import { createDigester } from './match-digests.service.ts';
import { type ParsedImport, swapName, parseWorkbook } from './parser.service.ts';

/** What the user sends: a file, pasted text, or rows. */
export interface ImportInput {
  upload: UploadedFile | undefined;
  text?: string | undefined;
  rows?: readonly ImportRowInput[] | undefined;
  roles?: readonly ColumnRole[] | undefined;
  /** The request names a class for all pupils. */
  classChosen: boolean;
  /** The path of the rows in `errors`: `readers`. */
  path: string;
}

/** The rows of the request; undefined without any. Throws if the file cannot be read. */
export async function parseImport(
  { database, config, clock }: Services,
  me: StaffSession,
  { upload, text, rows: given, roles, classChosen, path }: ImportInput,
): Promise<ParsedImport | undefined> {
  const book = upload ? await readFile(upload) : text === undefined ? undefined : await readText(text);
  if (book)
    return parseWorkbook(book, {
      roles,
      classChosen,
      knowledge: await readInSchool(database, me.schoolId, (db) => getColumnKnowledge(db, me, config)),
      digest: createDigester(config, me.schoolId, dayIn('Europe/London', clock.now())),
    });
  if (!given) return undefined;
  const rows = given.flatMap((row, index) => {
    const name = swapName(row.name.replace(/\s+/g, ' ').trim());
    if (name === '') return [];
    return [
      {
        sheet: '',
        row: index + 1,
        name,
        class: row.class ?? null,
        classId: row.group_id ?? null,
        yearGroup: row.year_group ?? null,
        namesake: row.namesake ?? false,
        shouldMove: row.move_to_class ?? false,
        lacksForename: row.lacks_forename ?? false,
        match: row.match ?? null,
        tagIds: row.tag_ids ?? [],
        path: `${path}.${index}`,
      },
    ];
  });
  return { format: 'rows', sheets: [], tags: [], rows };
}
