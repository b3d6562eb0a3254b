import { expect, it } from 'vitest';
import { describeChosen } from './connection-text.ts';

const classOf = (name: string) => ({ source_id: name, name });

it('the text of a connection describes which pupils are read', () => {
  expect(describeChosen({ school: null, classes: [], school_years: [] })).toBe('It reads all classes.');
  expect(describeChosen({ school: null, classes: [], school_years: [0, 3] })).toBe(
    'It reads only Reception and Year 3.',
  );
  expect(describeChosen({ school: null, classes: [classOf('3W')], school_years: [3] })).toBe(
    'It reads only Year 3, in 3W.',
  );
  const many = ['3W', '3X', '4W', '4X', '5W'].map(classOf);
  expect(describeChosen({ school: null, classes: many, school_years: [] })).toBe('It reads only 5 classes.');
  const school = classOf('Oak Nursery');
  expect(describeChosen({ school, classes: [], school_years: [] })).toBe('It reads all classes of Oak Nursery.');
  expect(describeChosen({ school, classes: [], school_years: [0] })).toBe('It reads only Reception of Oak Nursery.');
});
