import { calculateAccuracy } from '#contract/accuracy.ts';
import type { Invoice } from '#contract/calls/billing.ts';
import type { ClassReading } from '#contract/calls/class-reading.ts';
import type { ReadingSession } from '#contract/calls/reading.ts';
import type { AuditEntry, Class } from '#contract/calls/school.ts';
import type { Program } from '#contract/calls/programs.ts';
import type { PupilTag } from '#contract/calls/pupil-tags.ts';
import type { Pupil } from '#contract/calls/pupils.ts';
import { formatYearGroup } from '#contract/year-group.ts';
import { type ChoiceFilterQuery, pupilChoiceFilters } from '#contract/pupil-filters.ts';
import { dayIn, formatLongDay } from '../../../clock.ts';
import { EXPORT_FILES } from '#contract/export-files.ts';
import { type Role, ROLE_TEXTS } from '#contract/permissions.ts';
import { SCOPE_TEXTS } from '#contract/programs.ts';
import { fitWidths } from '../../../spreadsheets/sheet-file.ts';
import type { SheetToWrite } from '../../../spreadsheets/xlsx.ts';
import type { YearOfReading } from './exports.queries.ts';

/** The subject of a file, stated first on its sheet of notes. */
export interface ExportSource {
  school: string;
  madeAt: Date;
}

const ACTIVE_PUPILS_NOTE = 'Pupils in the archive are not included.';

/** The date format of files, which is that of the screens. */
const TIME_ZONE = 'Europe/London';
const formatDate = (moment: Date): string => formatLongDay(dayIn(TIME_ZONE, moment));

const titleOf = ({ school, madeAt }: ExportSource, about: string): string =>
  `${about} of ${school}, ${formatDate(madeAt)}`;

/** @param columns the width of each column in characters, by header */
const sheetOf = (
  name: string,
  columns: Readonly<Record<string, number>>,
  rows: SheetToWrite['rows'],
  notes: readonly string[],
) => ({ name, headers: Object.keys(columns), rows, widths: fitWidths(rows, Object.values(columns)), notes });

const nameOf = ({ first_name, last_name }: { first_name: string; last_name: string }) => `${first_name} ${last_name}`;

/** The filters of a list of pupils, one per line. */
export function describeFilter(
  query: ChoiceFilterQuery & {
    search?: { value: string } | undefined;
    classes?: readonly (number | 'mine' | 'none')[] | undefined;
    tag?: number | undefined;
    run?: number | undefined;
  },
  classes: readonly Pick<Class, 'id' | 'name'>[],
  /** The classes that `mine` stands for. */
  ownClasses: readonly Pick<Class, 'id' | 'name'>[] = [],
  /** The tags that the file may name. */
  tags: readonly Pick<PupilTag, 'id' | 'name'>[] = [],
): string[] {
  const tag = tags.find(({ id }) => id === query.tag);
  // For a teacher without classes, `mine` includes all pupils.
  const isEverybody = query.classes?.includes('mine') && ownClasses.length === 0;
  const names = isEverybody
    ? []
    : query.classes?.flatMap((choice) =>
        choice === 'none'
          ? 'without a class'
          : choice === 'mine'
            ? ownClasses.map(({ name }) => name)
            : (classes.find(({ id }) => id === choice)?.name ?? `class ${choice}`),
      );
  const filters = [
    query.search?.value.trim() && `name or username has ${query.search.value.trim()}`,
    names?.length && `class: ${names.join(', ')}`,
    query.tag !== undefined && (tag ? `tag: ${tag.name}` : 'pupils with a certain tag'),
    query.run !== undefined && 'added by one list or file',
    ...pupilChoiceFilters.map(({ describe }) => describe(query, formatDate)),
  ].filter((filter) => typeof filter === 'string');
  return filters.length > 0 ? filters.map((filter) => `Filter: ${filter}.`) : ['All pupils.'];
}

const dateAndTime = new Intl.DateTimeFormat('sv-SE', {
  dateStyle: 'short',
  timeStyle: 'short',
  timeZone: TIME_ZONE,
});

/** The values of an entry: `from: Year 3 Wrens; to: Year 4 Wrens`. */
const describeDetails = (details: AuditEntry['details']): string =>
  Object.entries(details)
    .map(([key, value]) => `${key.replaceAll('_', ' ')}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('; ');

function describePupils(pupils: AuditEntry['pupils']): string {
  if (!pupils) return '';
  const names = pupils.first.map(({ id, name }) => name ?? `deleted (no. ${id})`);
  const unnamed = pupils.total - names.length;
  return names.join(', ') + (unnamed > 0 ? ` and ${unnamed} more` : '');
}

/** Entries of the audit log, the latest first. */
export function changesSheet(entries: readonly AuditEntry[], source: ExportSource): SheetToWrite {
  const rows = entries.map(({ at, actor, impersonator, program, action, pupils, details }) => [
    dateAndTime.format(new Date(at)),
    actor?.name ?? '',
    impersonator?.name ?? (program ? `${program.name} (program)` : ''),
    action.replaceAll('_', ' '),
    describePupils(pupils),
    describeDetails(details),
  ]);
  return sheetOf('Changes', { When: 18, Who: 20, 'On their behalf': 18, What: 24, Pupils: 24, Details: 30 }, rows, [
    titleOf(source, 'Changes'),
    'Without a name: an automatic change, or an account that was deleted.',
  ]);
}

/**
 * Names, classes and year groups, in the format that the import reads.
 * @param tags the tags of a further column, which the import ignores; no column without tags
 */
export function pupilsSheet(
  pupils: readonly Pick<Pupil, 'id' | 'name' | 'group' | 'year_group'>[],
  source: ExportSource,
  filters: readonly string[],
  tags: readonly PupilTag[] = [],
): SheetToWrite {
  const tagged = tags.map(({ name, reader_ids: ids }) => ({ name, pupilIds: new Set(ids) }));
  const namesOfTags = (pupilId: number) =>
    tagged.flatMap(({ name, pupilIds }) => (pupilIds.has(pupilId) ? name : [])).join('; ');
  const hasTags = tags.length > 0;
  const rows = pupils.map(({ id, name, group: schoolClass, year_group: yearGroup }) => [
    name,
    schoolClass?.name ?? '',
    yearGroup ? formatYearGroup(yearGroup) : '',
    ...(hasTags ? [namesOfTags(id)] : []),
  ]);
  return sheetOf('Pupils', { Name: 32, Class: 20, 'Year group': 14, ...(hasTags && { Tags: 24 }) }, rows, [
    titleOf(source, 'Pupils'),
    ...filters,
    ACTIVE_PUPILS_NOTE,
    'Name: first and last name in one cell.',
    'Class: empty for a pupil without one.',
    'Year group: the current one; empty where it is not known.',
    ...(hasTags ? ['Tags: separated by semicolons. The import ignores them.'] : []),
    ...tags.flatMap(({ name, purpose }) => (purpose === null ? [] : `${name}: recorded for this purpose: ${purpose}`)),
    'Importing this file again changes nothing.',
  ]);
}

export function classesSheet(classes: readonly Omit<Class, 'year_groups'>[], source: ExportSource): SheetToWrite {
  const rows = classes.map(({ name, teachers, readers_count: pupils, assigned_book_count: books }) => [
    name,
    teachers.map(nameOf).join(', '),
    pupils,
    books,
  ]);
  return sheetOf('Classes', { Class: 24, Teachers: 32, Pupils: 10, Books: 10 }, rows, [
    titleOf(source, 'Classes'),
    'All classes.',
    'Teachers: the class’s first teacher comes first.',
    `Pupils: the pupils currently in the class. ${ACTIVE_PUPILS_NOTE}`,
    'Books: books assigned to the whole class.',
  ]);
}

/** The IDs of the teachers and teaching assistants of a class. */
export const staffOf = ({ teachers, assistants }: Pick<Class, 'teachers' | 'assistants'>): ReadonlySet<number> =>
  new Set([...teachers, ...assistants].map(({ id }) => id));

interface StaffRow {
  id: number;
  first_name: string;
  last_name: string;
  email: string;
  role: Role;
}

/** Staff, in the format that the import of teachers reads. */
export function teachersSheet(
  staff: readonly StaffRow[],
  classes: readonly Pick<Class, 'id' | 'name' | 'teachers' | 'assistants'>[],
  source: ExportSource,
): SheetToWrite {
  const rows = staff.map((person) => [
    person.email,
    nameOf(person),
    ROLE_TEXTS[person.role].name,
    classes
      .filter((schoolClass) => staffOf(schoolClass).has(person.id))
      .map(({ name }) => name)
      .join(', '),
  ]);
  return sheetOf('Teachers', { Email: 36, Name: 28, Role: 24, Classes: 28 }, rows, [
    titleOf(source, 'Teachers'),
    'All staff. Invitations that have not been accepted are not included.',
    'Role: admins can change everything; teachers can change their own classes. The guide explains the other roles.',
    'Classes: the classes that the person teaches or helps in.',
  ]);
}

/** Programs with a token, also those that have ended. */
export function programsSheet(programs: readonly Program[], source: ExportSource): SheetToWrite {
  const format = (moment: string | null) => (moment ? dateAndTime.format(new Date(moment)) : '');
  const rows = programs.map((program) => [
    program.name,
    program.scopes.map((scope) => SCOPE_TEXTS[scope].name).join(', '),
    program.groups?.map(({ name }) => name).join(', ') ?? 'The whole school',
    program.made_by?.name ?? '',
    format(program.made_at),
    program.responsible?.name ?? '',
    format(program.last_used_at),
    format(program.ended_at ?? program.expires_at),
  ]);
  const columns = { Name: 24, 'What it can do': 36, Classes: 24, 'Made by': 20, 'Made on': 18 };
  return sheetOf('Programs', { ...columns, 'Answered for by': 20, 'Last used': 18, Ends: 18 }, rows, [
    titleOf(source, 'Programs'),
    'Programs that use the data of the school with a token. The tokens themselves are not stored.',
    'Ends: when the token ends, or when the program ended.',
  ]);
}

const ACCURACY = 'Accuracy: words read correctly out of the words attempted, in per cent, rounded down.';
const ACTIVE_TIME = 'active reading time; the clock stops after 60 seconds without activity.';

/** Seconds as minutes. */
const minutes = (seconds: number): number => Math.round(seconds / 60);
/** Whole per cent, rounded down as on every screen. */
const percent = (accuracy: number | null): number | null => (accuracy === null ? null : Math.floor(accuracy));

/** What each pupil read, one row per school year; pupils who never read have one row without a year. */
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
      minutes(reading_time),
      words_attempted,
      words_correct,
      percent(calculateAccuracy(words_correct, words_attempted)),
      books,
    ]);
  });
  return sheetOf(
    'Reading',
    {
      Name: 32,
      Class: 20,
      Username: 26,
      'School year': 12,
      'Minutes read': 13,
      'Words attempted': 16,
      'Words correct': 14,
      'Accuracy %': 12,
      'Books completed': 16,
    },
    rows,
    [
      titleOf(source, 'Reading by school year'),
      ACTIVE_PUPILS_NOTE,
      'Class: the pupil’s current class.',
      'School year: from 1 September to 31 August.',
      `Minutes read: ${ACTIVE_TIME}`,
      `${ACCURACY} Empty where no word was attempted.`,
      'Books completed: the number of different books read to the last page in that year.',
    ],
  );
}

/** The reading figures of a class, one row per pupil. */
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
  return sheetOf(
    'Reading',
    {
      Name: 32,
      'Last read': 12,
      'Minutes this week': 18,
      'Accuracy %': 12,
      Words: 10,
      Level: 8,
      ...Object.fromEntries(weeks.map((monday) => [`Minutes, week of ${monday}`, 28])),
    },
    rows,
    [
      titleOf(source, `Reading of ${className}`),
      'All pupils of the class, by name.',
      `Minutes: ${ACTIVE_TIME} Weeks begin on Mondays; the last week is not over yet.`,
      `${ACCURACY} Of the six weeks; empty where no word was attempted, and on fewer than 100 words it says little.`,
      'Words: words attempted in the six weeks.',
      'Level: the level on the pupil’s last day of reading in the six weeks; empty if there is none.',
    ],
  );
}

const CLOCK_NOTES = {
  corrected: 'The tablet’s clock was wrong: the time is corrected',
  arrival: 'The tablet’s clock was wrong: this is the day it arrived',
};

/** A pupil's sessions, one row each. */
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
    [session.is_reading ? '' : 'Too short to count as reading', session.clock ? CLOCK_NOTES[session.clock] : '']
      .filter(Boolean)
      .join('. '),
  ]);
  return sheetOf(
    'Reading sessions',
    { Book: 36, Date: 12, 'Minutes read': 14, 'Accuracy %': 12, Completed: 12, Note: 40 },
    rows,
    [
      titleOf(source, `Reading sessions of ${pupilName}`),
      `From ${formatDate(from)} to ${formatDate(to)}: the latest session of each book, newest first.`,
      `Minutes read: ${ACTIVE_TIME}`,
      `${ACCURACY} Of a book that is not completed: of the part read so far. Empty where no word was attempted.`,
    ],
  );
}

const INVOICE_STATES: Record<Invoice['status'], string> = {
  open: 'Unpaid',
  paid: 'Paid',
  uncollectible: 'Uncollectible',
  credited: 'Credited',
};

/** The school's invoices, one row each. */
export function invoicesSheet(invoices: readonly Invoice[], source: ExportSource) {
  const rows = invoices.map(({ number, issued_at, due_date, status, total }) => [
    number,
    dayIn(TIME_ZONE, new Date(issued_at)),
    due_date,
    INVOICE_STATES[status],
    total / 100,
  ]);
  return sheetOf('Invoices', { Invoice: 16, Issued: 12, Due: 12, Status: 16, 'Total with VAT £': 18 }, rows, [
    titleOf(source, 'Invoices'),
    'All invoices, newest first.',
    'Status: Uncollectible means written off; Credited means cancelled by a credit note.',
    'Total with VAT: in pounds.',
  ]);
}

/** The introduction of a whole school's archive, in lines that every editor shows. */
export const readme = (source: ExportSource): string =>
  [
    titleOf(source, 'Pupils, classes, teachers and reading'),
    '',
    ...Object.entries(EXPORT_FILES).map(([name, contents]) => `${name.padEnd(15)}${contents}`),
    '',
    'Each spreadsheet has a second sheet, About this file, which explains its columns.',
    '',
    'To import it again, open Pupils in the portal, press Add Pupils and choose pupils.xlsx.',
    'The import also creates the classes. Pupils get new usernames and passwords; none of these files contains passwords.',
    'If two pupils in the same class have the same name, the import asks you about them.',
    'To invite the teachers, open Teachers, press Add Teacher and choose teachers.xlsx.',
    '',
    'These files contain children’s names. Store them where only authorised staff can open them.',
    '',
  ].join('\r\n');
