import { useQuery } from '@tanstack/react-query';
import { paths } from '../../paths.ts';
import { isNotFound } from '../../shared/api-error.ts';
import { useIdParam } from '../../shared/use-id-param.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { useSchoolId } from '../../shared/session.ts';
import { ButtonLink } from '../../ui/ButtonLink.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { useSchool } from '../school/school.public.ts';
import { classQuery } from './classes.api.ts';
import { ClassHeader } from './components/ClassHeader.tsx';
import { ClassPupils } from './components/ClassPupils.tsx';

/** A class: its name, its teacher, its pupils. */
export default function ClassPage() {
  const id = useIdParam();
  return id === undefined ? <ClassNotFound /> : <Class key={id} classId={id} />;
}

function Class({ classId }: { classId: number }) {
  const found = useQuery(classQuery(useSchoolId(), classId));
  // The list of classes knows the name before the class itself is there.
  const listed = useSchool()?.groups.find(({ id }) => id === classId);
  const schoolClass = found.data?.group;
  if (isNotFound(found.error)) return <ClassNotFound />;
  return (
    <>
      <ClassHeader classId={classId} schoolClass={schoolClass ?? listed} />
      {found.error && !schoolClass && <ErrorNotice error={found.error} onRetry={() => void found.refetch()} />}
      {(schoolClass || !found.error) && <ClassPupils classId={classId} schoolClass={schoolClass} />}
    </>
  );
}

function ClassNotFound() {
  return (
    <>
      <PageHeader title="Class not found" crumbs={[{ text: 'Classes', to: paths.classes() }]} />
      <p>There is no such class in your school. Somebody may have deleted it, or the address may be mistyped.</p>
      <ButtonLink to={paths.classes()}>Go to all classes</ButtonLink>
    </>
  );
}
