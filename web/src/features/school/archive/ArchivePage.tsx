import { paths } from '../../../paths.ts';
import { can } from '../../../shared/can.ts';
import { useSchoolId, useUser } from '../../../shared/session.ts';
import { usePrefetchedQuery } from '../../../shared/use-prefetched-query.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { DeletedClasses, deletedClassesQuery } from '../classes/deleted-classes.public.ts';
import { useIsTeachingOpen } from '../school/school.public.ts';
import { ArchivedPupils } from './components/ArchivedPupils.tsx';

/** Deleted pupils, for administrators, and deleted classes; teachers see those that they deleted. */
export default function ArchivePage() {
  const isAdmin = can(useUser(), 'delete_pupil');
  const isTeachingOpen = useIsTeachingOpen();
  const classes = usePrefetchedQuery(deletedClassesQuery(useSchoolId())).data?.groups;
  const pupils = isTeachingOpen
    ? { text: 'Pupils', to: paths.pupils() }
    : { text: 'Pupils’ logins', to: paths.pupilLogins() };

  return (
    <>
      <PageHeader
        title="Archive"
        crumbs={[isTeachingOpen && !isAdmin ? { text: 'Classes', to: paths.classes() } : pupils]}
        lead={
          isAdmin
            ? 'Deleted pupils stay here until the day they are erased. You can restore them until then. After that we erase them and their reading history.'
            : 'The classes that you deleted.'
        }
      />
      {isAdmin && <ArchivedPupils isAlone={classes?.length === 0} />}
      <DeletedClasses
        {...(!isAdmin && {
          empty: (
            <EmptyState title="The archive is empty">
              Classes you delete stay here for 30 days, so you can restore them.
            </EmptyState>
          ),
        })}
      />
    </>
  );
}
