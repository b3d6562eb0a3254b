import { Link } from 'react-router';
import { paths } from '../../../paths.ts';
import type { TableSort } from '../../../ui/table-url-state.ts';
import type { ReadingOfClass } from '../model/class-reading.ts';
import { classInWords } from '../model/reading-words.ts';
import css from './ClassSummary.module.css';

interface Props {
  classId: number;
  its: ReadingOfClass;
  sort: TableSort | null;
}

/** What a class read in one line, the way to its charts, and back to the order in which those stand first who need somebody. */
export function ClassSummary({ classId, its, sort }: Props) {
  return (
    <p className={css.summary}>
      {classInWords(its.reading)}{' '}
      <span className={css.links}>
        <Link to={paths.dashboard({ class: classId })}>Dashboard of this class</Link>
        {sort?.field !== 'need' && (
          <Link to={paths.classPage(classId)} preventScrollReset>
            Sort by need
          </Link>
        )}
      </span>
    </p>
  );
}
