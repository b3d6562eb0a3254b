import { isNotFound } from '../../../shared/api-error.ts';
import { useIdParam } from '../../../shared/parse-id.ts';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { useSchoolId } from '../../../shared/session.ts';
import { usePrefetchedQuery } from '../../../shared/use-prefetched-query.ts';
import { AssignedBooks } from '../../books/books/assigned-books.public.ts';
import { ReadingLine } from '../../reading/class-reading/class-reading.public.ts';
import { WhoNeedsMe } from '../../reading/reading-needs/reading-needs.public.ts';
import { ClassNotFound, useSchool, whoCanChange } from '../school/school.public.ts';
import { classQuery } from './classes.api.ts';
import { ClassHeader } from './components/ClassHeader.tsx';
import { ClassPupils } from './components/ClassPupils.tsx';

/** A class: its name, its teacher, its pupils. */
export default function ClassPage() {
  const id = useIdParam();
  return id === undefined ? <ClassNotFound /> : <Class key={id} classId={id} />;
}

function Class({ classId }: { classId: number }) {
  const found = usePrefetchedQuery(classQuery(useSchoolId(), classId));
  // The list of classes has the name if the class could not be loaded.
  const school = useSchool();
  const listed = school?.groups.find(({ id }) => id === classId);
  const schoolClass = found.data?.group;
  const seesReading =
    (school?.features.includes('new_statistics') ?? false) &&
    schoolClass?.user_manages === true &&
    schoolClass.readers_count > 0;
  if (isNotFound(found.error)) return <ClassNotFound />;
  return (
    <>
      <ClassHeader classId={classId} schoolClass={schoolClass ?? listed} />
      {found.error && !schoolClass && <ErrorNotice error={found.error} onRetry={() => void found.refetch()} />}
      {seesReading && <WhoNeedsMe classId={classId} isFolded />}
      {(schoolClass || !found.error) && (
        <ClassPupils classId={classId} schoolClass={schoolClass} seesReading={seesReading} />
      )}
      {seesReading && <ReadingLine classId={classId} />}
      {schoolClass?.user_manages === false && (
        <AssignedBooks classId={classId} whoCanChange={whoCanChange(schoolClass)} />
      )}
    </>
  );
}
