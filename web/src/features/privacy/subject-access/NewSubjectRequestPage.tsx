import { useQuery } from '@tanstack/react-query';
import { Link } from '../../../ui/Link.tsx';
import { useParams, useSearchParams } from '../../../shared/router.ts';
import { RIGHTS } from '#contract/rights.ts';
import { paths } from '../../../paths.ts';
import { isNotFound } from '../../../shared/api-error.ts';
import { fullName } from '../../../shared/format.ts';
import { parseId } from '../../../shared/parse-id.ts';
import { useSchoolId } from '../../../shared/session.ts';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { useSchool } from '../../school/school/school.public.ts';
import { KindChoice } from './components/KindChoice.tsx';
import { RequestForm } from './components/RequestForm.tsx';
import { REQUEST_WORDS } from './model/request-words.ts';
import { archiveQuery, dataQuery, parseKind, pupilQuery } from './subject-access.api.ts';

/** Records a request or complaint about the pupil or member of staff that the URL names, of the kind in the URL. For admins. */
export default function NewSubjectRequestPage() {
  const [query] = useSearchParams();
  const pupilId = parseId(query.get('pupil') ?? undefined);
  const userId = parseId(query.get('staff') ?? undefined);
  const kind = parseKind(useParams().kind);
  return (
    <>
      <PageHeader
        title={`New ${kind ? REQUEST_WORDS[kind].noun : 'request or complaint'}`}
        crumbs={[
          { text: 'School', to: paths.school() },
          { text: 'Data and privacy', to: paths.dataAndPrivacy() },
          { text: 'Requests and complaints', to: paths.subjectRequests() },
        ]}
        lead="Record it on the day it arrives. We work out when the answer is due."
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
        a pupil: open their page from <Link to={paths.pupils()}>Pupils</Link> and press <strong>Data request</strong>
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
      For a copy of the data you can also press <kbd>Ctrl</kbd> <kbd>K</kbd> and type “everything about” with the name.
    </p>
  </>
);

const Missing = () => (
  <Notice kind="warning" title="We could not find this person in your school.">
    They may have been erased, or work at another school now.
  </Notice>
);

/** Asks for the kind, then for the rest. */
function ForPerson({ subject }: { subject: { kind: 'pupil' | 'staff'; id: number; name: string } }) {
  const kind = parseKind(useParams().kind);
  if (kind && (subject.kind === 'pupil' || RIGHTS[kind].isForStaff))
    return <RequestForm key={kind} kind={kind} subject={subject} />;
  return (
    <KindChoice
      subject={subject}
      to={(chosen) => paths.newSubjectRequest({ [subject.kind]: subject.id, kind: chosen })}
    />
  );
}

function ForPupil({ id }: { id: number }) {
  const schoolId = useSchoolId();
  const current = useQuery(pupilQuery(schoolId, id));
  const isElsewhere = current.error !== null;
  const archive = useQuery({ ...archiveQuery(schoolId), enabled: isElsewhere });
  const name = current.data?.reader.name ?? archive.data?.readers.find((pupil) => pupil.id === id)?.name;
  if (name) return <ForPerson subject={{ kind: 'pupil', id, name }} />;
  if (!isElsewhere || archive.isPending) return null;
  return isNotFound(current.error) ? <Missing /> : <ErrorNotice error={current.error} />;
}

function ForStaff({ id }: { id: number }) {
  const current = useSchool()?.users.find((person) => person.id === id);
  const former = useQuery({ ...dataQuery(useSchoolId()), enabled: !current });
  const person = current ?? former.data?.former_staff.find((member) => member.id === id);
  if (person) return <ForPerson subject={{ kind: 'staff', id, name: fullName(person) }} />;
  if (former.error) return <ErrorNotice error={former.error} onRetry={() => void former.refetch()} />;
  return former.data ? <Missing /> : null;
}
