import { paths } from '../../../../paths.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { usePrefetchedQuery } from '../../../../shared/use-prefetched-query.ts';
import { Link } from '../../../../ui/Link.tsx';
import { Notice } from '../../../../ui/Notice.tsx';
import { wrongClocksText } from '../model/clock-difference.ts';
import { tabletsQuery } from '../tablets.api.ts';

/** A line about the tablets with a wrong clock that were last used in a class. Nothing if there are none. */
export function ClassTablets({ classId }: { classId: number }) {
  const tablets = usePrefetchedQuery(tabletsQuery(useSchoolId())).data?.tablets ?? [];
  const ofClass = tablets.filter(({ group: lastUsedIn }) => lastUsedIn?.id === classId).length;
  if (ofClass === 0) return null;
  return (
    <Notice kind="warning">
      {wrongClocksText(ofClass, ' of this class')}. <Link to={paths.tablets()}>What to do about tablets</Link>
    </Notice>
  );
}
