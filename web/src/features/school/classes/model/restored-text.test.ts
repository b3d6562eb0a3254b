import { expect, it } from 'vitest';
import type { RestoredClass } from '#contract/calls/deleted-classes.ts';
import { missingText, restoredText } from './restored-text.ts';

const restored = (missing: Partial<RestoredClass['missing']>, formerName: string | null = null): RestoredClass => ({
  group: {
    id: 1,
    name: formerName === null ? 'Maple' : 'Maple (2)',
    readers_count: 0,
    year_groups: [],
    assigned_book_count: 0,
    manager_id: null,
    manager: null,
    teachers: [],
    assistants: [],
    user_manages: true,
  },
  former_name: formerName,
  missing: { pupils_moved: 0, pupils_archived: 0, teachers: 0, books: 0, ...missing },
});

it('the text about a restored class names it, and both names if it got a new one', () => {
  expect(restoredText(restored({}))).toBe('Maple has been restored');
  expect(restoredText(restored({}, 'Maple'))).toBe(
    'Maple has been restored as Maple (2), because another class is called Maple now',
  );
});

it('the text about a restored class lists what did not return, and is empty if everything did', () => {
  expect(missingText(restored({}))).toBe('');
  expect(missingText(restored({ books: 1 }))).toBe('Not restored: 1 book no longer in the library.');
  expect(missingText(restored({ pupils_moved: 2, pupils_archived: 1, teachers: 1, books: 3 }))).toBe(
    'Not restored: 2 pupils with another class since, 1 pupil in the archive, 1 teacher no longer on the staff and 3 books no longer in the library.',
  );
});
