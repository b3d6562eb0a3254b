import { useMemo } from 'react';
import { Navigate, useParams } from '../../../shared/router.ts';
import { paths } from '../../../paths.ts';
import { isNotFound } from '../../../shared/api-error.ts';
import { useIdParam } from '../../../shared/parse-id.ts';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { ClassLink, PupilNotFound, useSchool } from '../../school/school/school.public.ts';
import { Library } from './components/Library.tsx';
import { whoCanAssign } from './model/who-can-assign.ts';
import { useLibrary } from './model/use-library.ts';

/** The library of a pupil, reached from the list of pupils or through a class. */
export default function PupilLibraryPage() {
  const pupilId = useIdParam();
  const { classId } = useParams();
  if (pupilId === undefined) return <PupilNotFound />;
  return <PupilLibrary key={pupilId} pupilId={pupilId} classId={classId} />;
}

function PupilLibrary({ pupilId, classId }: { pupilId: number; classId: string | undefined }) {
  const owner = useMemo(() => ({ pupilId }), [pupilId]);
  const library = useLibrary(owner);
  const { data, error } = library.firstPage;
  const school = useSchool();
  const classes = school?.groups;

  if (isNotFound(error)) return <PupilNotFound />;
  const schoolClass = data?.meta.group;
  // The pupil has moved since the link was made, or was never in this class.
  if (data && classId !== undefined && String(schoolClass?.id) !== classId)
    return <Navigate to={paths.pupilBooks(pupilId, schoolClass?.id)} replace />;
  const name = data?.meta.reader_name ?? 'Pupil';
  const teachers = classes?.find(({ id }) => id === schoolClass?.id)?.teachers ?? [];
  return (
    <>
      <PageHeader
        title={`Books of ${name}`}
        crumbs={[
          ...(classId !== undefined && schoolClass
            ? [
                { text: 'Classes', to: paths.classes() },
                { text: schoolClass.name, to: paths.classPage(schoolClass.id) },
              ]
            : [{ text: 'Pupils', to: paths.pupils() }]),
          ...(data ? [{ text: `Reading of ${name}`, to: paths.pupil(pupilId, classId) }] : []),
        ]}
        lead={
          data && (
            <>
              {schoolClass ? (
                <>
                  Books of this pupil alone, besides those of <ClassLink schoolClass={schoolClass} />.
                </>
              ) : (
                'Books of this pupil, who has no class.'
              )}
              {!data.meta.can_assign && ` Only ${whoCanAssign(teachers, school?.users ?? [])} can change them.`}
            </>
          )
        }
      >
        {data ? name : '\u00a0'}
      </PageHeader>
      <Library library={library} name={name} />
    </>
  );
}
