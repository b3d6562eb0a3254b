import type { RecordView } from '#contract/calls/record-views.ts';
import { count, formatDate, formatTime } from '../../../../shared/format.ts';

type Screen = RecordView['screen'];

const SCREENS: Record<Screen, string> = {
  pupil: 'the pupil’s page',
  books: 'the pupil’s books',
  book: 'who has read a book',
  words: 'words to practise',
  reports: 'pages for a parents’ evening',
  subject_access: 'a subject access request',
  pupils: 'the list of pupils',
  tags: 'tags',
  class: 'the page of a class',
  class_reading: 'the reading of a class',
  needs: 'Who needs me',
  lowest_fifth: 'the lowest fifth of a year',
  dashboard: 'charts',
  certificates: 'certificates',
  school_export: 'the data of the whole school',
  reading: 'reading sessions',
};

const ALONE: Partial<Record<Screen, string>> = { book: 'the pupil’s sessions with a book' };

const FILES: Partial<Record<Screen, string>> = {
  pupil: 'a file about the pupil’s reading',
  pupils: 'pupils with their tags',
  subject_access: 'the file of a subject access request',
};

const CHANGES: Partial<Record<Screen, string>> = {
  pupil: 'Added a note',
  pupils: 'Renamed the pupil',
  needs: 'Dealt with a reason in Who needs me',
};

/** What a program receives where a person opens a page. */
const RECEIVED: Partial<Record<Screen, string>> = {
  pupil: 'the pupil’s details and reading',
  class: 'a class with its pupils',
};

/** What the person or program did: `Opened the pupil’s page`, `Downloaded charts`, `Received reading sessions`. */
export function describeView({ about, what, screen, program }: RecordView): string {
  if (what === 'change') return CHANGES[screen] ?? 'Made a change';
  if (program) return `Received ${RECEIVED[screen] ?? SCREENS[screen]}`;
  if (what === 'file') return `Downloaded ${FILES[screen] ?? SCREENS[screen]}`;
  if (what === 'notes')
    return screen === 'subject_access' ? 'Read texts for a subject access request' : 'Read the notes';
  return `Opened ${(about === 'pupil' && ALONE[screen]) || SCREENS[screen]}`;
}

/** The other pupils who were shown with this one: `Year 3 Otters, 28 pupils`. Undefined for a view of this pupil alone. */
export function describeList(view: RecordView): string | undefined {
  const pupils = count(view.pupils, 'pupil');
  if (view.about === 'pupil') return undefined;
  if (view.about === 'list') return `A list of ${pupils}`;
  return `${view.group?.name ?? 'A class that was deleted'}, ${pupils}`;
}

/** When, and how often: `18 November 2026, 3 times between 12:00 and 15:10`. */
export function describeTimes({ day, count: times, first_at: first, last_at: last }: RecordView): string {
  const [from, to] = [formatTime(first), formatTime(last)];
  if (times === 1) return `${formatDate(day)} at ${from}`;
  return `${formatDate(day)}, ${times} times between ${from} and ${to}`;
}
