import { Link } from '../../../../ui/Link.tsx';
import { recentDays } from '#contract/accuracy.ts';
import { paths } from '../../../../paths.ts';
import { formatAccuracy } from '../../../../shared/format.ts';
import { today } from '../../../../shared/school-day.ts';
import type { Column } from '../../../../ui/DataTable.tsx';
import { LevelDot } from '../../../../ui/LevelDot.tsx';
import { BookBand } from '../../../books/reading-levels/reading-levels.public.ts';
import type { ReadingOfClass } from '../model/class-reading.ts';
import { accuracyParams } from '../model/accuracy-scope.ts';
import { isFew, minutes, pastDay } from '../model/reading-words.ts';
import css from './ReadingColumns.module.css';
import { WeekBars } from './WeekBars.tsx';

/** Columns on the reading of each pupil of a class. */
export const readingColumns = (classId: number, { ofPupil, lastWeek }: ReadingOfClass): Column<{ id: number }>[] => [
  {
    id: 'last-read',
    header: 'Last read',
    sort: 'last_read',
    sortWords: ['oldest first', 'latest first'],
    isOneLine: true,
    cell: ({ id }) => pastDay(ofPupil.get(id)?.last_read_on ?? null, today()),
  },
  ...(lastWeek < 0
    ? []
    : [
        {
          id: 'last-week',
          header: 'Last week',
          align: 'end' as const,
          isOneLine: true,
          cell: ({ id }: { id: number }) => `${minutes(ofPupil.get(id)?.weeks[lastWeek] ?? 0)} min`,
        },
      ]),
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
    header: 'Accuracy, six weeks',
    sort: 'accuracy',
    sortWords: ['lowest first', 'highest first'],
    align: 'end',
    isOneLine: true,
    cell: ({ id }) => {
      const pupil = ofPupil.get(id);
      const figure = formatAccuracy(pupil?.accuracy ?? null);
      return (
        <>
          {pupil && pupil.accuracy !== null ? (
            <Link
              to={paths.pupil(id, classId, accuracyParams(recentDays(today()), 'all'))}
              aria-label={`${figure}: accuracy of ${pupil.name} in the last six weeks`}
            >
              {figure}
            </Link>
          ) : (
            figure
          )}
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
    isOneLine: true,
    cell: ({ id }) => {
      const level = ofPupil.get(id)?.reading_level ?? null;
      return level === null ? (
        '–'
      ) : (
        <LevelDot level={level}>
          {level}
          <BookBand level={level} />
        </LevelDot>
      );
    },
  },
  // Last week's column takes its place on the days that show it: both do not fit at 1280 px.
  ...(lastWeek < 0
    ? [
        {
          id: 'weeks',
          header: 'Minutes, six weeks',
          cell: ({ id }: { id: number }) => <WeekBars weeks={ofPupil.get(id)?.weeks ?? []} />,
        },
      ]
    : []),
];
