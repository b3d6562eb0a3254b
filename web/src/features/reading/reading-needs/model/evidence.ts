import type { Need } from '#contract/calls/reading-needs.ts';
import type { Pupil } from '#contract/calls/pupils.ts';
import { paths } from '../../../../paths.ts';
import type { DayRange } from '../../../../ui/date-range.ts';
import { accuracyParams } from './accuracy-scope.ts';

type Whose = Pick<Pupil, 'id' | 'group'>;

/** The URL of the figures behind a reason: the pupil's reading in those days, a book, or the assigned books. */
export function evidencePath(pupil: Whose, need: Need, days: DayRange): string {
  const classId = pupil.group?.id;
  if (need.kind === 'nothing_assigned') return paths.pupilBooks(pupil.id, classId);
  if (need.kind === 'unfinished') return paths.pupilBook(pupil.id, need.book_id);
  if (need.kind === 'low_accuracy' || need.kind === 'falling')
    return paths.pupil(pupil.id, classId, accuracyParams(days, need.reading_level));
  const from = need.kind === 'not_read' ? earlier(need.last_read_on, days.from) : days.from;
  return paths.pupil(pupil.id, classId, { from, to: days.to });
}

const earlier = (day: string | null, otherDay: string): string => (day !== null && day < otherDay ? day : otherDay);
