import type { Class } from '#contract/calls/school.ts';
import type { Pupil } from '#contract/calls/pupils.ts';
import { fitWidths } from '../../spreadsheets/sheet-file.ts';
import type { SheetToWrite } from '../../spreadsheets/xlsx.ts';
import type { YearOfReading } from './exports.queries.ts';

/** What a file is of: said first on its sheet of notes. */
export interface ExportSource {
  school: string;
  madeAt: Date;
}

const NO_PUPIL_OF_THE_ARCHIVE = 'Pupils in the archive are left out.';

const dateIn = (moment: Date) =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'Europe/London' }).format(moment);

const noted = ({ school, madeAt }: ExportSource, what: string, notes: readonly string[]) => [
  `${what} of ${school}, ${dateIn(madeAt)}`,
  ...notes,
];

const nameOf = ({ first_name, last_name }: { first_name: string; last_name: string }) => `${first_name} ${last_name}`;

/** Which pupils a list was narrowed to, a line a filter. */
export function describeFilter(
  query: {
    search?: { value: string } | undefined;
    classes?: readonly (number | 'mine' | 'none')[] | undefined;
    not_read_days?: number | undefined;
    not_read_since?: string | undefined;
    level?: number | undefined;
  },
  classes: readonly Pick<Class, 'id' | 'name'>[],
  /** What `mine` stands for. */
  mine: readonly Pick<Class, 'id' | 'name'>[] = [],
): string[] {
  // Whoever teaches no class has everybody by `mine`.
  const isEverybody = query.classes?.includes('mine') && mine.length === 0;
  const names = isEverybody
    ? []
    : query.classes?.flatMap((one) =>
        one === 'none'
          ? 'without a class'
          : one === 'mine'
            ? mine.map(({ name }) => name)
            : (classes.find(({ id }) => id === one)?.name ?? `class ${one}`),
      );
  const filters = [
    query.search?.value.trim() && `name or username has ${query.search.value.trim()}`,
    names?.length && `class: ${names.join(', ')}`,
    query.not_read_days !== undefined && `not read for ${query.not_read_days} days`,
    query.not_read_since !== undefined && `not read since ${dateIn(new Date(query.not_read_since))}`,
    query.level !== undefined && `last reading on level ${query.level}`,
  ].filter((filter) => typeof filter === 'string');
  return filters.length > 0 ? filters.map((filter) => `Only pupils with this: ${filter}.`) : ['All pupils.'];
}

/** Names and classes, as the import reads them. */
export function pupilsSheet(
  pupils: readonly Pick<Pupil, 'name' | 'group'>[],
  source: ExportSource,
  filters: readonly string[],
): SheetToWrite {
  const rows = pupils.map((pupil) => [pupil.name, pupil.group?.name ?? '']);
  return {
    name: 'Pupils',
    headers: ['Name', 'Class'],
    rows,
    widths: fitWidths(rows, [32, 20]),
    notes: noted(source, 'Pupils', [
      ...filters,
      NO_PUPIL_OF_THE_ARCHIVE,
      'Name: first and last name in one cell.',
      'Class: empty for a pupil without one.',
      'Importing this file again changes nothing.',
    ]),
  };
}

export function classesSheet(classes: readonly Class[], source: ExportSource): SheetToWrite {
  const rows = classes.map(({ name, teachers, readers_count: pupils, assigned_book_count: books }) => [
    name,
    teachers.map(nameOf).join(', '),
    pupils,
    books,
  ]);
  return {
    name: 'Classes',
    headers: ['Class', 'Teachers', 'Pupils', 'Books'],
    rows,
    widths: fitWidths(rows, [24, 32, 10, 10]),
    notes: noted(source, 'Classes', [
      'All classes.',
      'Teachers: the first teacher of the class first.',
      `Pupils: those who are in the class now. ${NO_PUPIL_OF_THE_ARCHIVE}`,
      'Books: those assigned to the class as a whole.',
    ]),
  };
}

export interface StaffRow {
  id: number;
  first_name: string;
  last_name: string;
  email: string;
  role: 'admin' | 'teacher';
}

/** Staff, as the import of teachers reads them. */
export function teachersSheet(
  staff: readonly StaffRow[],
  classes: readonly Class[],
  source: ExportSource,
): SheetToWrite {
  const rows = staff.map((person) => [
    person.email,
    nameOf(person),
    person.role === 'admin' ? 'Admin' : 'Teacher',
    classes
      .filter(({ teachers }) => teachers.some(({ id }) => id === person.id))
      .map(({ name }) => name)
      .join(', '),
  ]);
  return {
    name: 'Teachers',
    headers: ['Email', 'Name', 'Role', 'Classes'],
    rows,
    widths: fitWidths(rows, [36, 28, 10, 28]),
    notes: noted(source, 'Teachers', [
      'All staff; invitations that were not accepted are left out.',
      'Role: an admin has all rights; a teacher those over the own classes.',
      'Classes: those of which the person is a teacher.',
    ]),
  };
}

/** What each pupil read, a row a school year; pupils who never read have one row without a year. */
export function readingSheet(
  pupils: readonly Pick<Pupil, 'id' | 'name' | 'username' | 'group'>[],
  years: readonly YearOfReading[],
  source: ExportSource,
): SheetToWrite {
  const ofPupil = Map.groupBy(years, ({ pupil_id }) => pupil_id);
  const rows = pupils.flatMap(({ id, name, username, group: schoolClass }) => {
    const who = [name, schoolClass?.name ?? '', username];
    const read = ofPupil.get(id) ?? [];
    if (read.length === 0) return [[...who, '', 0, 0, 0, null, 0]];
    return read.map(({ year, reading_time, words_attempted, words_correct, books }) => [
      ...who,
      `${year}/${String((year + 1) % 100).padStart(2, '0')}`,
      Math.round(reading_time / 60),
      words_attempted,
      words_correct,
      words_attempted === 0 ? null : Math.floor((words_correct / words_attempted) * 100),
      books,
    ]);
  });
  return {
    name: 'Reading',
    headers: [
      'Name',
      'Class',
      'Username',
      'School year',
      'Minutes read',
      'Words attempted',
      'Words correct',
      'Accuracy %',
      'Books completed',
    ],
    rows,
    widths: fitWidths(rows, [32, 20, 26, 12, 13, 16, 14, 12, 16]),
    notes: noted(source, 'Reading by school year', [
      NO_PUPIL_OF_THE_ARCHIVE,
      'Class: the class in which the pupil is now.',
      'School year: from 1 September to 31 August.',
      'Minutes read: active reading time; the clock stops after 60 seconds without activity.',
      'Accuracy: words read correctly out of the words attempted, in per cent, rounded down. Empty where no word was attempted.',
      'Books completed: different books read to the last page in that year.',
    ]),
  };
}

/** What the archive of a whole school begins with, in lines that every editor shows. */
export const readme = ({ school, madeAt }: ExportSource): string =>
  [
    ...noted({ school, madeAt }, 'Pupils, classes, teachers and reading', []),
    '',
    'pupils.xlsx    every pupil with the class',
    'classes.xlsx   every class with its teachers and counts',
    'teachers.xlsx  every member of staff with role and classes',
    'reading.xlsx   what each pupil read, a row a school year, and their usernames',
    '',
    'Each spreadsheet has a second sheet, About this file, that says what its columns mean.',
    '',
    'To read it into a school again: open Pupils in the portal, press Add Pupils and choose pupils.xlsx.',
    'The classes are made with the pupils. Pupils get new usernames and passwords; passwords are in none of these files.',
    'Two pupils of the same name in the same class are asked about.',
    'Teachers are invited with teachers.xlsx: open Teachers, press Add Teacher and choose it.',
    '',
    'These files hold the names of children. Keep them where only those can open them who may.',
    '',
  ].join('\r\n');
