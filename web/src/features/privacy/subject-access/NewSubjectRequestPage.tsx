import { useQuery } from '@tanstack/react-query';
import { useParams, useSearchParams } from '../../../shared/router.ts';
import { RIGHTS } from '#contract/rights.ts';
import { paths } from '../../../paths.ts';
import { useSchoolId } from '../../../shared/session.ts';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { PageSkeleton } from '../../../ui/PageSkeleton.tsx';
import { ChoosePerson } from './components/ChoosePerson.tsx';
import { KindChoice } from './components/KindChoice.tsx';
import { RequestForm } from './components/RequestForm.tsx';
import { REQUEST_WORDS } from './model/request-words.ts';
import { parseKind, readSubject, subjectsQuery } from './subject-access.api.ts';

/** Records a request or complaint about the pupil or member of staff that the URL names, of the kind in the URL. */
export default function NewSubjectRequestPage() {
  const [query] = useSearchParams();
  const subject = readSubject(query);
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
      {subject && !('search' in subject) ? (
        <ForPerson key={JSON.stringify(subject)} person={subject} />
      ) : (
        <ChoosePerson search={subject?.search ?? ''} kind={kind} />
      )}
    </>
  );
}

const Missing = () => (
  <Notice kind="warning" title="We could not find this person in your school.">
    They may have been erased, or work at another school now.
  </Notice>
);

/** Loads the person, asks for the kind, then for the rest. */
function ForPerson({ person }: { person: { pupil: number } | { staff: number } }) {
  // A link of the search changes only the URL's parameters, for which no loader runs.
  const { data, error, refetch } = useQuery(subjectsQuery(useSchoolId(), person));
  const kind = parseKind(useParams().kind);
  if (error && !data) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (!data) return <PageSkeleton rows={4} />;
  const subject = data.people[0];
  if (!subject) return <Missing />;
  if (kind && (subject.kind === 'pupil' || RIGHTS[kind].isForStaff))
    return <RequestForm key={kind} kind={kind} subject={subject} />;
  return <KindChoice subject={subject} to={(chosen) => paths.newSubjectRequest({ ...person, kind: chosen })} />;
}
