import type { Class } from '#contract/calls/school.ts';
import { fullName, listInWords } from '../../../../shared/format.ts';
import type { DraftRow } from './draft.ts';

/** A class of the list, as the review shows it. */
export interface DraftClass {
  name: string;
  pupils: number;
  /** The school has it already. */
  isExisting: boolean;
  /** Of a class that the school has; empty without one. */
  teachers: string;
  /** The first few names, so that the user recognises it. */
  sample: string;
}

const SAMPLE = 3;

/** The classes of a list in its order, with the pupils that go to each. */
export function classesOf(
  rows: readonly DraftRow[],
  existing: readonly Pick<Class, 'name' | 'teachers'>[],
): DraftClass[] {
  const teachers = new Map(
    existing.map((known) => [known.name.toLowerCase(), listInWords(known.teachers.map(fullName))]),
  );
  const byClass = new Map<string, DraftRow[]>();
  for (const row of rows)
    if (row.class !== null && !row.isLeftOut) {
      const members = byClass.get(row.class);
      if (members) members.push(row);
      else byClass.set(row.class, [row]);
    }
  return [...byClass].map(([name, members]) => ({
    name,
    pupils: members.length,
    isExisting: teachers.has(name.toLowerCase()),
    teachers: teachers.get(name.toLowerCase()) ?? '',
    sample: members
      .slice(0, SAMPLE)
      .map((row) => row.name)
      .join(', '),
  }));
}

/** The rows with another name for one of their classes. An empty name leaves the pupils without a class. */
export const renameClass =
  (from: string, to: string) =>
  (row: DraftRow): DraftRow =>
    row.class === from ? { ...row, class: to.trim() === '' ? null : to.trim() } : row;
