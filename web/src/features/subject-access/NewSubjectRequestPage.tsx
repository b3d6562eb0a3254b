import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { paths } from '../../paths.ts';
import { isNotFound } from '../../shared/api-error.ts';
import { fullName } from '../../shared/format.ts';
import { parseId } from '../../shared/parse-id.ts';
import { useSchoolId } from '../../shared/session.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { useSchool } from '../school/school.public.ts';
import { RequestForm } from './components/RequestForm.tsx';
import { archiveQuery, dataQuery, pupilQuery } from './subject-access.api.ts';

/** Records a request for everything about the pupil or member of staff that the URL names. For admins. */
export default function NewSubjectRequestPage() {
  const [query] = useSearchParams();
  const pupilId = parseId(query.get('pupil') ?? undefined);
  const userId = parseId(query.get('staff') ?? undefined);
  return (
    <>
      <PageHeader
        title="New subject access request"
        crumbs={[
          { text: 'School', to: paths.school() },
          { text: 'Data and privacy', to: paths.dataAndPrivacy() },
          { text: 'Subject access requests', to: paths.subjectRequests() },
        ]}
        lead="Record who asks and how you checked that. We then gather everything about the person."
      />
      {pupilId !== undefined ? (
        <ForPupil key={pupilId} id={pupilId} />
      ) : userId !== undefined ? (
        <ForStaff key={userId} id={userId} />
      ) : (
        <ChoosePerson />
      )}
    </>
  );
}

const ChoosePerson = () => (
  <>
    <p>Choose whose data it is:</p>
    <ul>
      <li>
        a pupil: open their page from <Link to={paths.pupils()}>Pupils</Link> and press <strong>Subject access</strong>
      </li>
      <li>
        a pupil in the archive: use the menu of the pupil on <Link to={paths.archive()}>Archive</Link>
      </li>
      <li>
        a member of staff: use the menu of the person on <Link to={paths.teachers()}>Teachers</Link>
      </li>
      <li>
        a former member of staff: under <Link to={paths.dataAndPrivacy()}>Data and privacy</Link>
      </li>
    </ul>
    <p>
      Or press <kbd>Ctrl</kbd> <kbd>K</kbd> and type “everything about” with the name.
    </p>
  </>
);

const Missing = () => (
  <Notice kind="warning" title="We could not find this person in your school.">
    They may have been erased, or work at another school now.
  </Notice>
);

function ForPupil({ id }: { id: number }) {
  const schoolId = useSchoolId();
  const current = useQuery(pupilQuery(schoolId, id));
  const isElsewhere = current.error !== null;
  const archive = useQuery({ ...archiveQuery(schoolId), enabled: isElsewhere });
  const name = current.data?.reader.name ?? archive.data?.readers.find((pupil) => pupil.id === id)?.name;
  if (name) return <RequestForm subject={{ kind: 'pupil', id, name }} />;
  if (!isElsewhere || archive.isPending) return null;
  return isNotFound(current.error) ? <Missing /> : <ErrorNotice error={current.error} />;
}

function ForStaff({ id }: { id: number }) {
  const current = useSchool()?.users.find((person) => person.id === id);
  const former = useQuery({ ...dataQuery(useSchoolId()), enabled: !current });
  const person = current ?? former.data?.former_staff.find((one) => one.id === id);
  if (person) return <RequestForm subject={{ kind: 'staff', id, name: fullName(person) }} />;
  if (former.error) return <ErrorNotice error={former.error} onRetry={() => void former.refetch()} />;
  return former.data ? <Missing /> : null;
}
