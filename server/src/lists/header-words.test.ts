import { readFileSync } from 'node:fs';
import { describeHeaders, headersOfLists } from '#content/help/headers-of-lists.ts';
import { describe, expect, test } from 'vitest';
import { isWrittenAsClass } from './class-names.ts';
import { readHeader } from './header-words.ts';

const ROLES: Record<string, string> = {
  'First name': 'first_name',
  Surname: 'last_name',
  'Whole name': 'name',
  Class: 'class',
  'Year group': 'year_group',
  'Date of birth': 'birth_date',
  UPN: 'upn',
};

const KNOWN = {
  first_name: [
    'Forename',
    'Legal Forename',
    'First Name [Required]',
    'Pref. Forename',
    'Known as',
    'Enw Cyntaf',
    'FIRST',
    'Nickname',
  ],
  last_name: ['Surname', 'Family name', 'Legal Last Name', 'Pupil Surname', 'Cyfenw'],
  name: [
    'Name',
    'Full Name',
    "Child's Full Name",
    'Pupil',
    'Name of the child',
    'Preferred Name',
    'Chosen Name',
    'Enw',
  ],
  surname_first: ['Surname, Forename', 'Last name / First name'],
  class: [
    'Class',
    'Reg Grp',
    'Cls',
    'Class Code',
    'Class 2026/27',
    'Homeroom',
    'NC Year / Class',
    'Main registration form',
    'Class / Form',
    'Tutor Group',
    'Dosbarth',
  ],
  year_group: ['Year', 'Yr Grp', 'Year Taught In', 'NC Year', 'NCyearActual', 'Blwyddyn'],
  birth_date: ['DOB', 'Date of Birth', 'Dyddiad geni'],
  upn: ['UPN', 'Unique Pupil Number'],
  ignored: [
    'First Language',
    'Former Surname',
    'Birth Surname',
    'Doctor surname',
    'Mum first name',
    "Mother's surname",
    'Next of kin forename',
    'Class Teacher',
    'Parent email',
    'Emergency contact name',
    'Username',
    'Adm No',
    'Middle Name(s)',
  ],
};

describe('headers', () => {
  test.each(Object.entries(KNOWN).flatMap(([role, headers]) => headers.map((header) => [header, role])))(
    '%s is a header for %s',
    (header, role) => expect(readHeader(header, [])).toBe(role),
  );

  test.each([
    'First aid',
    'Date first admitted',
    'Set',
    'Room',
    'Reading group',
    'School name',
    'Year of entry',
    'Oak',
    'Amara',
  ])('%s is no header that we know', (text) => expect(readHeader(text, [])).toBeUndefined());
});

test('the page about school records has the headers that are known', () => {
  const page = readFileSync(new URL('../../../docs/school-records.md', import.meta.url), 'utf8');
  const rows = headersOfLists.map((column) => `| ${column.column} | ${describeHeaders(column)} |`);
  expect(page.split('\n').filter((line) => rows.some((row) => row.slice(0, 12) === line.slice(0, 12)))).toEqual(rows);
});

test('each header that is shown is read as its column', () => {
  for (const { column, headers } of headersOfLists)
    for (const word of headers.flatMap(({ words }) => words))
      expect({ word, role: readHeader(word, []) }).toEqual({ word, role: ROLES[column] });
});

test('a word for classes counts as a whole, and not as a surname before a comma or by a capital within a name', () => {
  expect(['Form 3', 'oak class', 'YR'].map(isWrittenAsClass)).toEqual([true, true, true]);
  expect(['Year 3, Oak', 'Reception, Oak'].map(isWrittenAsClass)).toEqual([true, true]);
  expect(['Rang, Priya', 'Form, Ada'].map(isWrittenAsClass)).toEqual([false, false]);
  expect(['MacForm, Ada', 'Kyra Reform', 'GZÖzYR'].map(isWrittenAsClass)).toEqual([false, false, false]);
});
