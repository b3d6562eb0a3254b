import { formatAccuracy } from '../../../shared/format.ts';
import { today } from '../../../shared/school-day.ts';
import type { Column } from '../../../ui/DataTable.tsx';
import type { ReadingOfClass } from '../model/class-reading.ts';
import { isFew, minutes, pastDay } from '../model/reading-words.ts';
import css from './ReadingColumns.module.css';
import { WeekBars } from './WeekBars.tsx';

/** Columns that say how each pupil of a class reads. */
export const readingColumns = ({ ofPupil }: ReadingOfClass): Column<{ id: number }>[] => [
  {
    id: 'last-read',
    header: 'Last read',
    sort: 'last_read',
    sortWords: ['oldest first', 'latest first'],
    isOneLine: true,
    cell: ({ id }) => pastDay(ofPupil.get(id)?.last_read_on ?? null, today()),
  },
  {
    id: 'week',
    header: 'This week',
    sort: 'week',
    sortWords: ['least first', 'most first'],
    align: 'end',
    isOneLine: true,
    cell: ({ id }) => `${minutes(ofPupil.get(id)?.reading_time_this_week ?? 0)} min`,
  },
  {
    id: 'accuracy',
    header: 'Accuracy',
    sort: 'accuracy',
    sortWords: ['lowest first', 'highest first'],
    align: 'end',
    isOneLine: true,
    cell: ({ id }) => {
      const pupil = ofPupil.get(id);
      return (
        <>
          {formatAccuracy(pupil?.accuracy ?? null)}
          {isFew(pupil?.words ?? 0) && <span className={css.few}> few words</span>}
        </>
      );
    },
  },
  {
    id: 'level',
    header: 'Level',
    sort: 'level',
    sortWords: ['lowest first', 'highest first'],
    align: 'end',
    cell: ({ id }) => ofPupil.get(id)?.reading_level ?? '–',
  },
  {
    id: 'weeks',
    header: 'Six weeks',
    cell: ({ id }) => <WeekBars weeks={ofPupil.get(id)?.weeks ?? []} />,
  },
];
