import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readPasted, readWorkbook } from '../spreadsheets/workbook.ts';
import { readStaffList } from './staff.ts';

const CASES = join(import.meta.dirname, 'cases');

interface Expected {
  channel: string;
  /** `email|Name` or `email`. */
  sends?: string[];
  never?: string[];
}
const expected = JSON.parse(readFileSync(join(CASES, 'expected.json'), 'utf8')) as Record<string, Expected>;
const lists = Object.entries(expected).filter(([, { channel }]) => channel === 'teachers');

const read = (text: string, ...domains: string[]) =>
  readStaffList(readPasted(text), new Set(domains)).map(({ name, email, otherEmails, why }) =>
    [name, email, ...otherEmails, ...(why ? [`(${why})`] : [])].join(' '),
  );

describe('lists of staff', () => {
  test.each(lists)('the list of staff %s is read as the school expects', (file, { sends, never = [] }) => {
    const people = readStaffList(readWorkbook({ name: file, content: readFileSync(join(CASES, file)) }), new Set());
    const invited = people.filter(({ why }) => why === null);
    expect(
      invited.map(({ email, name }, index) => (sends?.[index]?.includes('|') ? `${email}|${name}` : email)),
    ).toEqual(sends);
    for (const email of never) expect(invited.map((person) => person.email)).not.toContain(email);
  });

  test('the school’s own address comes first, whatever the order of the columns and their headers', () => {
    expect(read('Name\tEmail 1\tEmail 2\nAda Baker\tada@home.example\tada@school.example', 'school.example')).toEqual([
      'Ada Baker ada@school.example ada@home.example',
    ]);
    expect(read('Name\tPersonal email\tEmail\nAda Baker\tada@home.example\tada@work.example')).toEqual([
      'Ada Baker ada@work.example ada@home.example',
    ]);
  });

  test.each([
    ['a title before the name', 'Mrs Ada Baker\tada@school.example', 'Ada Baker ada@school.example'],
    ['a surname first', 'Staff name\tEmail\nBaker, Ada\tada@school.example', 'Ada Baker ada@school.example'],
    ['addresses of a mail program', 'Ada Baker\tAda Baker <ada@school.example>;', 'Ada Baker ada@school.example'],
    [
      'blocked accounts',
      'Display name\tUser principal name\tBlock credential\nAda Baker\tada@school.example\tTrue',
      'Ada Baker ada@school.example (not_active)',
    ],
    [
      'accounts that are not enabled',
      'Name\tEmail\tEnabled\nAda Baker\tada@school.example\tNo',
      'Ada Baker ada@school.example (not_active)',
    ],
    [
      'students',
      'Name\tEmail\tUser type\nAda Baker\tada@school.example\tStudent',
      'Ada Baker ada@school.example (pupil)',
    ],
    [
      'staff who work with pupils',
      'Name\tEmail\tJob title\nAda Baker\tada@school.example\tSupport for pupils',
      'Ada Baker ada@school.example',
    ],
  ])('%s are understood', (_, text, person) => {
    expect(read(text)).toEqual([person]);
  });

  test.each([
    ['Role', 'Admin', 'admin'],
    ['User role', 'administrator', 'admin'],
    ['Role', 'Head teacher', 'admin'],
    ['Job title', 'Headteacher', 'admin'],
    ['Job title', 'Admin', 'teacher'],
    ['Role', 'Admin assistant', 'teacher'],
    ['Role', 'Head of Year 4', 'teacher'],
    ['Role', 'Deputy headteacher', 'teacher'],
    ['Role', '', 'teacher'],
    ['Department', 'Head', 'teacher'],
    ['Job title', 'Teaching Assistant', 'teaching_assistant'],
    ['Role', 'TA', 'teaching_assistant'],
    ['Post', 'School Business Manager', 'business_manager'],
    ['Job title', 'SENCo', 'reading_lead'],
    ['Role', 'Data protection officer', 'data_protection_officer'],
    ['Department', 'SENCo', 'teacher'],
  ])('the column %s with the cell %s gives a person the role %s', (header, cell, role) => {
    const people = readStaffList(
      readPasted(
        `Name\tEmail\t${header}\nAda Baker\tada@school.example\t${cell}\nBen Moss\tben@school.example\tTeacher`,
      ),
      new Set(),
    );
    expect(people.map((person) => person.role)).toEqual([role, 'teacher']);
  });

  test('a person without an address is left out, and a wrong address is kept to be corrected', () => {
    expect(read('Name\tEmail\nAda Baker\tada@school.example\nBen Moss\t\nIvy Wren\tivy at school')).toEqual([
      'Ada Baker ada@school.example',
      'Ivy Wren ivy at school',
    ]);
  });
});
