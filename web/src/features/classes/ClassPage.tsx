import { useQuery } from '@tanstack/react-query';
import { isNotFound } from '../../shared/api-error.ts';
import { useIdParam } from '../../shared/use-id-param.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { useSchoolId } from '../../shared/session.ts';
import { WhoNeedsMe } from '../reading-needs/reading-needs.public.ts';
import { useSchool } from '../school/school.public.ts';
import { classQuery } from './classes.api.ts';
import { ClassHeader } from './components/ClassHeader.tsx';
import { ClassNotFound } from './components/ClassNotFound.tsx';
import { ClassPupils } from './components/ClassPupils.tsx';

/** A class: its name, its teacher, its pupils. */
export default function ClassPage() {
  const id = useIdParam();
  return id === undefined ? <ClassNotFound /> : <Class key={id} classId={id} />;
}

function Class({ classId }: { classId: number }) {
  const found = useQuery(classQuery(useSchoolId(), classId));
  // The list of classes knows the name before the class itself is there.
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
      {seesReading && <WhoNeedsMe classId={classId} />}
      {(schoolClass || !found.error) && (
        <ClassPupils classId={classId} schoolClass={schoolClass} seesReading={seesReading} />
      )}
    </>
  );
}
