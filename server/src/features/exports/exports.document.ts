import { calculateAccuracy } from '#contract/accuracy.ts';
import type { Invoice } from '#contract/calls/billing.ts';
import type { ClassReading } from '#contract/calls/class-reading.ts';
import type { ReadingSession } from '#contract/calls/reading.ts';
import type { Class } from '#contract/calls/school.ts';
import type { Pupil } from '#contract/calls/pupils.ts';
import { dayIn, formatLongDay } from '../../clock.ts';
import { fitWidths } from '../../spreadsheets/sheet-file.ts';
import type { SheetToWrite } from '../../spreadsheets/xlsx.ts';
import type { YearOfReading } from './exports.queries.ts';

/** What a file is of: said first on its sheet of notes. */
export interface ExportSource {
  school: string;
  madeAt: Date;
}

const NO_PUPIL_OF_THE_ARCHIVE = 'Pupils in the archive are left out.';

/** In which files say days, as the screens do. */
const TIME_ZONE = 'Europe/London';
const formatDate = (moment: Date): string => formatLongDay(dayIn(TIME_ZONE, moment));

const noted = ({ school, madeAt }: ExportSource, what: string, notes: readonly string[]) => [
  `${what} of ${school}, ${formatDate(madeAt)}`,
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
    query.not_read_since !== undefined && `not read since ${formatDate(new Date(query.not_read_since))}`,
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

/** Whole per cent, floored as on every screen. */
const floorAccuracy = (wordsCorrect: number, wordsAttempted: number): number | null => {
  const accuracy = calculateAccuracy(wordsCorrect, wordsAttempted);
  return accuracy === null ? null : Math.floor(accuracy);
};

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
      floorAccuracy(words_correct, words_attempted),
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

const ACCURACY = 'Accuracy: words read correctly out of the words attempted, in per cent, rounded down.';
const ACTIVE_TIME = 'active reading time; the clock stops after 60 seconds without activity.';

/** Seconds as minutes. */
const minutes = (seconds: number): number => Math.round(seconds / 60);
const percent = (accuracy: number | null): number | null => (accuracy === null ? null : Math.floor(accuracy));

/** How the pupils of a class read, a row a pupil. */
export function classReadingSheet({ weeks, readers: pupils }: ClassReading, className: string, source: ExportSource) {
  const rows = pupils.map((pupil) => [
    pupil.name,
    pupil.last_read_on ?? '',
    minutes(pupil.reading_time_this_week),
    percent(pupil.accuracy),
    pupil.words,
    pupil.reading_level,
    ...pupil.weeks.map(minutes),
  ]);
  return {
    name: 'Reading',
    headers: [
      'Name',
      'Last read',
      'Minutes this week',
      'Accuracy %',
      'Words',
      'Level',
      ...weeks.map((monday) => `Minutes, week of ${monday}`),
    ],
    rows,
    widths: fitWidths(rows, [32, 12, 18, 12, 10, 8, ...weeks.map(() => 28)]),
    notes: noted(source, `Reading of ${className}`, [
      'All pupils of the class, by name.',
      `Minutes: ${ACTIVE_TIME} Weeks begin on Mondays; the last one goes on.`,
      `${ACCURACY} Of the six weeks; empty where no word was attempted, and on fewer than 100 words it says little.`,
      'Words: words attempted in the six weeks.',
      'Level: of the last day with reading in the six weeks; empty without one.',
    ]),
  } satisfies SheetToWrite;
}

/** A pupil's sessions, a row each. */
export function sessionsSheet(
  sessions: readonly ReadingSession[],
  pupilName: string,
  { from, to }: { from: Date; to: Date },
  source: ExportSource,
) {
  const rows = sessions.map((session) => [
    session.book_title,
    dayIn(TIME_ZONE, new Date(session.date)),
    minutes(session.reading_time),
    percent(session.has_completed_book ? session.accuracy : session.range_progressive_accuracy),
    session.has_completed_book ? 'Yes' : 'No',
  ]);
  return {
    name: 'Reading sessions',
    headers: ['Book', 'Date', 'Minutes read', 'Accuracy %', 'Completed'],
    rows,
    widths: fitWidths(rows, [36, 12, 14, 12, 12]),
    notes: noted(source, `Reading sessions of ${pupilName}`, [
      `From ${formatDate(from)} to ${formatDate(to)}: the latest session of each book, the newest first.`,
      `Minutes read: ${ACTIVE_TIME}`,
      `${ACCURACY} Of a book that is not completed: of the part read so far. Empty where no word was attempted.`,
    ]),
  } satisfies SheetToWrite;
}

const INVOICE_STATES: Record<Invoice['status'], string> = {
  open: 'Unpaid',
  paid: 'Paid',
  uncollectible: 'Uncollectible',
  credited: 'Credited',
};

/** The school's invoices, a row each. */
export function invoicesSheet(invoices: readonly Invoice[], source: ExportSource) {
  const rows = invoices.map(({ number, issued_at, due_date, status, total }) => [
    number,
    dayIn(TIME_ZONE, new Date(issued_at)),
    due_date,
    INVOICE_STATES[status],
    total / 100,
  ]);
  return {
    name: 'Invoices',
    headers: ['Invoice', 'Issued', 'Due', 'Status', 'Total with VAT £'],
    rows,
    widths: fitWidths(rows, [16, 12, 12, 16, 18]),
    notes: noted(source, 'Invoices', [
      'All invoices, the newest first.',
      'Status: Uncollectible, given up; Credited, taken back by a credit note.',
      'Total with VAT: in pounds.',
    ]),
  } satisfies SheetToWrite;
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
