import { Link } from '../../../../ui/Link.tsx';
import { paths } from '../../../../paths.ts';
import type { TableSort } from '../../../../ui/table-url-state.ts';
import type { ReadingOfClass } from '../model/class-reading.ts';
import { classAccuracy } from '../model/reading-words.ts';

interface Props {
  classId: number;
  classReading: ReadingOfClass;
  sort: TableSort | null;
}

/** The accuracy of a class, with links to its charts and to sorting by need. */
export function ClassSummary({ classId, classReading, sort }: Props) {
  return (
    <p>
      {classAccuracy(classReading.reading)}{' '}
      <span className="links no-print">
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
