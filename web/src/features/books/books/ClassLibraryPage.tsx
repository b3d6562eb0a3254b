import { useMemo } from 'react';
import { Navigate } from '../../../shared/router.ts';
import { paths } from '../../../paths.ts';
import { isNotFound } from '../../../shared/api-error.ts';
import { canAssignBooks } from '../../../shared/can.ts';
import { useIdParam } from '../../../shared/parse-id.ts';
import { useUser } from '../../../shared/session.ts';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { ClassNotFound, useSchool } from '../../school/school/school.public.ts';
import { Library } from './components/Library.tsx';
import { useLibrary } from './model/use-library.ts';

/** The library of a class. Users who cannot assign books to the class are redirected to it, which lists its books. */
export default function ClassLibraryPage() {
  const classId = useIdParam('classId');
  return classId === undefined ? <ClassNotFound /> : <ClassLibrary key={classId} classId={classId} />;
}

function ClassLibrary({ classId }: { classId: number }) {
  const owner = useMemo(() => ({ classId }), [classId]);
  const user = useUser();
  const library = useLibrary(owner);
  const { data, error } = library.firstPage;
  const listed = useSchool()?.groups.find(({ id }) => id === classId);
  const name = listed?.name ?? data?.meta.group?.name;

  if (isNotFound(error)) return <ClassNotFound />;
  if ((listed && !canAssignBooks(user, listed.user_manages)) || data?.meta.can_assign === false)
    return <Navigate to={paths.classPage(classId)} replace />;
  return (
    <>
      <PageHeader
        title={name ? `Books of ${name}` : 'Books'}
        crumbs={[
          { text: 'Classes', to: paths.classes() },
          ...(name ? [{ text: name, to: paths.classPage(classId) }] : []),
        ]}
        lead="Everyone in the class can read the books you assign here."
      />
      <Library library={library} name={name ?? 'the class'} />
    </>
  );
}
