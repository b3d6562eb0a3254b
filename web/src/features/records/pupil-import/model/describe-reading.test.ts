import { expect, it } from 'vitest';
import { describeReading } from './describe-reading.ts';

const column = (letter: string, header: string | null, role: 'name' | 'class' | 'ignored') => ({
  index: 0,
  letter,
  header,
  role,
  is_remembered: false,
  samples: ['Ada Baker'],
});

it('a list that was read wrongly is described by its headers and counts, without names of sheets, pupils and classes', () => {
  const text = describeReading({
    format: 'xlsx',
    layout: 'table',
    layouts: ['table'],
    questions: [
      {
        id: 'date:05-Jun',
        text: 'Is 05-Jun a class?',
        is_required: true,
        is_answered: false,
        answer: 'class',
        choices: [],
      },
    ],
    tags: [],
    sheets: [
      {
        name: 'Mrs Hale',
        used: true,
        can_use: true,
        pupils: 3,
        note: null,
        header_row: 1,
        class_from: 'column',
        columns: [column('A', 'Pupil', 'name'), column('B', null, 'class')],
      },
    ],
  });
  expect(text).toContain('Format: xlsx. Layout: table. Questions: date.');
  expect(text).toContain('Sheet 1: 3 pupils, class from column\nA Pupil: name\nB without a header: class');
  for (const secret of ['Ada', 'Hale', '05-Jun']) expect(text).not.toContain(secret);
});

it('the description of a list can be part of an address, wherever it is cut', () => {
  for (const start of ['', 'a']) {
    const columns = Array.from({ length: 3 }, () => column('A', `${start}${'😀'.repeat(700)}`, 'ignored'));
    const sheet = {
      name: '',
      used: true,
      can_use: true,
      pupils: 3,
      note: null,
      header_row: 1,
      class_from: 'none' as const,
    };
    const text = describeReading({
      format: 'csv',
      layout: 'table',
      layouts: [],
      questions: [],
      tags: [],
      sheets: [{ ...sheet, columns }],
    });
    expect(() => encodeURIComponent(text)).not.toThrow();
  }
});
