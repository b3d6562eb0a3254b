import type { RestoredClass } from '#contract/calls/deleted-classes.ts';
import { count, listInWords } from '../../../../shared/format.ts';

/** `Maple has been restored`, with the new name if another class has the old one. */
export const restoredText = ({ group: { name }, former_name: formerName }: RestoredClass): string =>
  formerName === null
    ? `${name} has been restored`
    : `${formerName} has been restored as ${name}, because another class is called ${formerName} now`;

/** What did not return with a restored class; nothing if all of it did. */
export function missingText({ missing }: RestoredClass): string {
  const parts = [
    missing.pupils_moved > 0 && `${count(missing.pupils_moved, 'pupil')} with another class since`,
    missing.pupils_archived > 0 && `${count(missing.pupils_archived, 'pupil')} in the archive`,
    missing.teachers > 0 && `${count(missing.teachers, 'teacher')} no longer on the staff`,
    missing.books > 0 && `${count(missing.books, 'book')} no longer in the library`,
  ].filter((part) => part !== false);
  return parts.length > 0 ? `Not restored: ${listInWords(parts)}.` : '';
}
