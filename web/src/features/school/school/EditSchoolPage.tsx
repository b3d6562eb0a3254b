import { Navigate } from '../../../shared/router.ts';
import { paths } from '../../../paths.ts';
import { can } from '../../../shared/can.ts';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { useSchoolId, useUser } from '../../../shared/session.ts';
import { usePrefetchedQuery } from '../../../shared/use-prefetched-query.ts';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { ContactsForm } from './components/ContactsForm.tsx';
import { DetailsForm } from './components/DetailsForm.tsx';
import { schoolQuery } from './school.api.ts';

/** Changes the school's details, or the contacts alone for a business manager. Users without the right are redirected to the school's page. */
export default function EditSchoolPage() {
  const user = useUser();
  const result = usePrefetchedQuery(schoolQuery(useSchoolId()));
  const school = result.data?.enterprise;
  if (!can(user, 'edit_contacts', school)) return <Navigate to={paths.school()} replace />;
  const isAdmin = can(user, 'edit_school', school);
  const EditForm = isAdmin ? DetailsForm : ContactsForm;
  return (
    <>
      <PageHeader
        title={isAdmin ? 'Update the school details' : 'Update the contacts'}
        crumbs={[{ text: 'School', to: paths.school() }]}
      />
      {school ? (
        <EditForm key={school.id} school={school} />
      ) : (
        <ErrorNotice error={result.error} onRetry={() => void result.refetch()} />
      )}
    </>
  );
}
