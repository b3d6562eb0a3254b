import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { normalizeName } from '#contract/fields.ts';
import { describe, expect, test } from 'vitest';
import { readPasted, readWorkbook, type Workbook } from '../spreadsheets/workbook.ts';
import { NO_KNOWLEDGE } from './columns.ts';
import { generateList, HABITS, LAYOUTS_OF_LISTS, STYLES } from './list-generator.ts';
import { type Choices, understandList } from './understand.ts';

const CASES = join(import.meta.dirname, 'cases');

/** What a school expects of a list. */
interface Expected {
  channel: 'pupils' | 'paste' | 'teachers' | 'roster' | 'catalogue';
  /** `Name`, or `Name|Class`. */
  adds?: string[];
  adds_count?: number;
  classes?: string[];
  never?: string[];
  /** Names that need a look. */
  asks?: string[];
}

const expected = JSON.parse(readFileSync(join(CASES, 'expected.json'), 'utf8')) as Record<string, Expected>;
const lists = Object.entries(expected).filter(([, { channel }]) => channel === 'pupils' || channel === 'paste');

function read(file: string, channel: Expected['channel']): Workbook {
  const content = readFileSync(join(CASES, file));
  return channel === 'paste' ? readPasted(content.toString('utf8')) : readWorkbook({ name: file, content });
}

const shown = (list: ReturnType<typeof understandList>): string[] =>
  (list?.entries ?? []).map((entry) => normalizeName(entry.name) + (entry.class ? `|${entry.class}` : ''));

describe('lists as schools make them', () => {
  test('each case has an expectation', () => {
    expect(
      readdirSync(CASES)
        .filter((file) => file !== 'expected.json')
        .sort(),
    ).toEqual(Object.keys(expected).sort());
    expect(lists.length).toBeGreaterThan(20);
  });

  test.each(lists)(
    'the list %s is read as the school expects',
    (file, { channel, adds, adds_count, classes, never, asks = [] }) => {
      const list = understandList(read(file, channel), NO_KNOWLEDGE);
      const found = shown(list);
      if (adds)
        expect(found.filter((text) => !asks.includes(text.split('|')[0] ?? '')).sort()).toEqual([...adds].sort());
      if (adds_count) expect(found).toHaveLength(adds_count);
      if (classes) expect([...new Set(list?.entries.map((entry) => entry.class))].sort()).toEqual([...classes].sort());
      for (const name of never ?? []) expect(found.map((text) => text.split('|')[0])).not.toContain(name);
    },
  );
});

describe('generated lists', () => {
  test('a list in any layout, with the habits of schools, is read rightly or asked about', () => {
    const counts = { all: 0, right: 0, needless: 0 };
    const wrong: string[] = [];
    for (let seed = 1; counts.all < 2000; seed += 1)
      for (const layout of LAYOUTS_OF_LISTS)
        for (const habit of HABITS)
          for (const style of STYLES) {
            const made = generateList(seed * 7919 + counts.all, layout, habit, style);
            if (!made) continue;
            counts.all += 1;
            const list = understandList(made.book, NO_KNOWLEDGE);
            const isRight = shown(list).sort().join('\n') === made.truth.map(normalizeName).sort().join('\n');
            const hasQuestion = list?.doubts.some(({ isStrong }) => isStrong) ?? false;
            if (isRight && hasQuestion) counts.needless += 1;
            else if (isRight) counts.right += 1;
            else if (!hasQuestion) wrong.push(`${layout}, ${habit}, ${style}: read as ${list?.layout}`);
          }
    expect(wrong).toEqual([]);
    expect(counts.needless / counts.all).toBeLessThan(0.03);
    expect(counts.right / counts.all).toBeGreaterThan(0.9);
  });
});

/** A sheet with rows from 1. */
const book = (rows: (readonly string[])[], format: Workbook['format'] = 'xlsx'): Workbook => ({
  format,
  sheets: [
    { name: 'Sheet1', hidden: false, rows: rows.map((cells, index) => ({ row: index + 1, cells: [...cells] })) },
  ],
});
const NAMES = ['Amara Whitcombe', 'Ben Lockyer', 'Carys Penhallow', 'Dev Chaudhry', 'Ella Thornbury', 'Finlay Marsh'];
const ask = (rows: (readonly string[])[], choices: Choices = {}) => {
  const list = understandList(book(rows), NO_KNOWLEDGE, choices);
  return {
    found: shown(list),
    questions: list?.doubts.map(({ id, isStrong, answer }) => `${isStrong ? '!' : '?'}${id}: ${answer}`),
  };
};

describe('questions about a list', () => {
  test('a class that a spreadsheet program has made a date of is asked about, and the answer changes it', () => {
    const rows = [['Name', 'Class'], ...NAMES.map((name) => [name, '05-Jun'])];
    expect(ask(rows)).toMatchObject({ questions: ['!date:05-Jun: class'] });
    expect(ask(rows).found[0]).toBe('Amara Whitcombe|5/6');
    expect(ask(rows, { answers: { 'date:05-Jun': 'text' } }).found[0]).toBe('Amara Whitcombe|05-Jun');
  });

  test('a pupil without a class, in a list with a column of classes, is no heading', () => {
    const rows = [
      ['Name', 'Class', 'Year group'],
      ["aa'aa", '', ''],
      ['Ada Baker', 'Year 3 Wrens', ''],
      ['aN aa', 'Year 4 Wrens', 'Year 4'],
      ["Finn O'Hara", 'Year 5 Swifts', ''],
      ['Mina Rahman', '', ''],
      ['wa aa aa', 'Year 4 Wrens', 'Year 4'],
      ['Xaa aa', 'Odd', ''],
      ['Zoë Łukasik', 'Year 3 Wrens', ''],
    ];
    expect(ask(rows).found).toEqual(
      rows.slice(1).map(([name, schoolClass]) => (schoolClass ? `${name}|${schoolClass}` : name)),
    );
  });

  test('about as many classes as pupils are asked about', () => {
    const rows = [['Surname', 'Class'], ...NAMES.map((name) => name.split(' ').toReversed())];
    const { found, questions } = ask(rows);
    expect(questions).toEqual(['!many: first_name']);
    expect(found[0]).toBe('Amara Whitcombe');
    expect(ask(rows, { answers: { many: 'none' } }).found[0]).toBe('Whitcombe');
  });

  test('children who are there twice are counted once, unless they are different children', () => {
    const rows = [
      ['Name', 'Class'],
      ...NAMES.map((name) => [name, 'Oak']),
      ...NAMES.map((name) => [name, 'Phonics 2']),
    ];
    expect(ask(rows)).toMatchObject({ questions: ['!twice: first'], found: NAMES.map((name) => `${name}|Oak`) });
    expect(ask(rows, { answers: { twice: 'last' } }).found).toEqual(NAMES.map((name) => `${name}|Phonics 2`));
    expect(ask(rows, { answers: { twice: 'all' } }).found).toHaveLength(12);
  });

  test('two children of one name in two classes are two children', () => {
    const rows = [
      ['Name', 'Class'],
      ...NAMES.map((name) => [name, 'Oak']),
      [NAMES[0] ?? '', 'Ash'],
      ['Gwen Hill', 'Ash'],
      ['Ida Moss', 'Ash'],
    ];
    expect(ask(rows)).toMatchObject({ questions: [] });
    expect(ask(rows).found).toHaveLength(9);
  });

  test('two classes in a cell are asked about', () => {
    const rows = [['Name', 'Class'], ...NAMES.map((name) => [name, 'Phonics Set 2;Oak'])];
    expect(ask(rows).questions).toEqual(['!several: 0']);
    expect(ask(rows, { answers: { several: '1' } }).found[0]).toBe('Amara Whitcombe|Oak');
    expect(ask(rows, { answers: { several: 'whole' } }).found[0]).toBe('Amara Whitcombe|Phonics Set 2;Oak');
  });

  test('spellings of one class become one, unless they are several', () => {
    const rows = [['Name', 'Class'], ...NAMES.map((name, index) => [name, index % 2 === 0 ? '3 Oak' : '3Oak'])];
    expect(new Set(ask(rows).found.map((text) => text.split('|')[1]))).toEqual(new Set(['3 Oak']));
    expect(ask(rows).questions).toEqual(['?same:3oak: one']);
    expect(ask(rows, { answers: { 'same:3oak': 'several' } }).found[1]).toBe('Ben Lockyer|3Oak');
  });

  test('an answer that is no choice is not taken', () => {
    const rows = [['Name', 'Class'], ...NAMES.map((name) => [name, '05-Jun'])];
    expect(
      understandList(book(rows), NO_KNOWLEDGE, { answers: { 'date:05-Jun': 'perhaps' } })?.doubts[0],
    ).toMatchObject({
      isAnswered: false,
      answer: 'class',
    });
  });
});
