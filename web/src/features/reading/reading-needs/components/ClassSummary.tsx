import { Link } from '../../../../ui/Link.tsx';
import { SearchParamsLink } from '../../../../ui/SearchParamsLink.tsx';
import { paths } from '../../../../paths.ts';
import { useIsSupplyTeacher } from '../../../../shared/use-is-supply-teacher.ts';
import type { TableSort } from '../../../../ui/table-url-state.ts';
import type { ReadingOfClass } from '../model/class-reading.ts';
import { ReadingHours } from '../../reading-hours/reading-hours.public.ts';
import { classAccuracy } from '../model/reading-words.ts';

interface Props {
  classId: number;
  classReading: ReadingOfClass;
  sort: TableSort | null;
  /** The user may see who needs help. */
  hasNeeds: boolean;
}

/** The accuracy of a class and when it reads, with links to its charts and to sorting by need. */
export function ClassSummary({ classId, classReading, sort, hasNeeds }: Props) {
  // Supply teachers have no dashboard.
  const isSupply = useIsSupplyTeacher();
  return (
    <>
      <p className="flat">
        {classAccuracy(classReading.reading)}{' '}
        <span className="links no-print">
          {!isSupply && <Link to={paths.dashboard({ class: classId })}>Dashboard of this class</Link>}
          {hasNeeds && sort?.field !== 'need' && (
            <SearchParamsLink changes={{ sort: null, page: null }}>Sort by need</SearchParamsLink>
          )}
        </span>
      </p>
      <ReadingHours
        inSchool={classReading.reading.in_school_hours}
        outside={classReading.reading.outside_school_hours}
        prefix="Last six weeks: "
      />
    </>
  );
}
