import { isNotFound } from '../../../shared/api-error.ts';
import { useIdParam } from '../../../shared/parse-id.ts';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { can, canAssignBooks, canReadClassDetails, coverOf } from '../../../shared/can.ts';
import { useSchoolId, useUser } from '../../../shared/session.ts';
import { usePrefetchedQuery } from '../../../shared/use-prefetched-query.ts';
import { AssignedBooks } from '../../books/books/assigned-books.public.ts';
import { ReadingLine } from '../../reading/class-reading/class-reading.public.ts';
import { WhoNeedsMe } from '../../reading/reading-needs/reading-needs.public.ts';
import { ClassCovers, ownCoverText } from '../covers/covers.public.ts';
import { ClassTablets } from '../tablets/tablets.public.ts';
import { ClassNotFound, useSchool } from '../school/school.public.ts';
import { classQuery } from './classes.api.ts';
import { ClassHeader } from './components/ClassHeader.tsx';
import { ClassPupils } from './components/ClassPupils.tsx';

/** A class: its name, its teacher, its pupils. */
export default function ClassPage() {
  const id = useIdParam();
  return id === undefined ? <ClassNotFound /> : <Class key={id} classId={id} />;
}

function Class({ classId }: { classId: number }) {
  const result = usePrefetchedQuery(classQuery(useSchoolId(), classId));
  // The list of classes has the name if the class could not be loaded.
  const school = useSchool();
  const listed = school?.groups.find(({ id }) => id === classId);
  const schoolClass = result.data?.group;
  const user = useUser();
  const hasReading =
    (school?.features.includes('new_statistics') ?? false) &&
    schoolClass !== undefined &&
    schoolClass.readers_count > 0;
  const canSeeNeeds = hasReading && canReadClassDetails(user, schoolClass);
  // Who helps in a class or covers it may see how it reads; a teacher opens those of others too.
  const canSeeReading =
    canSeeNeeds || (hasReading && (!can(user, 'view_details') || coverOf(user, classId) !== undefined));
  const coverText = ownCoverText(user, classId);
  if (isNotFound(result.error)) return <ClassNotFound />;
  return (
    <>
      <ClassHeader classId={classId} schoolClass={schoolClass ?? listed} />
      {schoolClass && coverText && <Notice>{coverText}</Notice>}
      {schoolClass?.user_manages && can(user, 'manage_classes') && <ClassCovers classId={classId} />}
      <ClassTablets classId={classId} />
      {result.error && !schoolClass && <ErrorNotice error={result.error} onRetry={() => void result.refetch()} />}
      {canSeeNeeds && <WhoNeedsMe classId={classId} isFolded />}
      {(schoolClass || !result.error) && (
        <ClassPupils
          classId={classId}
          schoolClass={schoolClass}
          canSeeReading={canSeeReading}
          canSeeNeeds={canSeeNeeds}
        />
      )}
      {canSeeReading && <ReadingLine classId={classId} />}
      {schoolClass && !canAssignBooks(user, schoolClass.user_manages) && (
        <AssignedBooks classId={classId} teachers={schoolClass.teachers} />
      )}
    </>
  );
}
