import { useQuery } from '@tanstack/react-query';
import type { SubjectRequestDetails } from '#contract/calls/subject-requests.ts';
import { RIGHTS } from '#contract/rights.ts';
import { paths } from '../../../paths.ts';
import { isNotFound } from '../../../shared/api-error.ts';
import { formatDate, formatMoment } from '../../../shared/format.ts';
import { useSchoolId } from '../../../shared/session.ts';
import { useIdParam } from '../../../shared/parse-id.ts';
import { usePrefetchedQuery } from '../../../shared/use-prefetched-query.ts';
import { ButtonLink } from '../../../ui/ButtonLink.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { Acknowledgement } from './components/Acknowledgement.tsx';
import { CloseRequest } from './components/CloseRequest.tsx';
import { RequestClock } from './components/RequestClock.tsx';
import { RequestState } from './components/RequestState.tsx';
import { SubjectFile } from './components/SubjectFile.tsx';
import { SubjectTexts } from './components/SubjectTexts.tsx';
import { WhatToDo } from './components/WhatToDo.tsx';
import { REQUEST_WORDS, subjectName } from './model/request-words.ts';
import { requestQuery } from './subject-access.api.ts';
import css from './SubjectRequestPage.module.css';

const CRUMBS = [
  { text: 'School', to: paths.school() },
  { text: 'Data and privacy', to: paths.dataAndPrivacy() },
  { text: 'Requests and complaints', to: paths.subjectRequests() },
];

/** How often the page looks whether the file is ready. */
const POLL_INTERVAL_MS = 2000;

/** One request or complaint about data, step by step. For admins. */
export default function SubjectRequestPage() {
  const id = useIdParam();
  return id === undefined ? <RequestNotFound /> : <Request key={id} requestId={id} />;
}

const RequestNotFound = () => (
  <>
    <PageHeader title="Request not found" crumbs={CRUMBS} />
    <p>There is no such request in your school. It may have been deleted three years after it was closed.</p>
    <ButtonLink to={paths.subjectRequests()}>Go to all requests</ButtonLink>
  </>
);

function Request({ requestId }: { requestId: number }) {
  const schoolId = useSchoolId();
  const found = usePrefetchedQuery(requestQuery(schoolId, requestId));
  const request = found.data?.request;
  // Renews the data above until the job is done.
  useQuery({
    ...requestQuery(schoolId, requestId),
    enabled: request?.file.state === 'making',
    refetchInterval: ({ state }) =>
      state.data?.request.file.state === 'making' && !state.error ? POLL_INTERVAL_MS : false,
  });
  if (isNotFound(found.error)) return <RequestNotFound />;
  if (!request)
    return (
      <>
        <PageHeader title="Request" crumbs={CRUMBS} />
        <ErrorNotice error={found.error} onRetry={() => void found.refetch()} />
      </>
    );
  const isOpen = request.closed_at === null;
  const { hasFile } = RIGHTS[request.kind];
  const { noun, close } = REQUEST_WORDS[request.kind];
  const hasTexts = hasFile && request.subject.kind === 'pupil';
  return (
    <>
      <PageHeader
        title={REQUEST_WORDS[request.kind].title(subjectName(request))}
        crumbs={CRUMBS}
        lead={<RequestState request={request} />}
      />
      {(isOpen || request.steps.length > 0) && (
        <section className="above-3xl" aria-labelledby="clock">
          <h2 id="clock">{isOpen ? 'Time to answer' : 'What happened'}</h2>
          <RequestClock request={request} />
        </section>
      )}
      <section className="above-3xl" aria-labelledby="request">
        <h2 id="request">The {noun}</h2>
        <Facts request={request} />
      </section>
      {isOpen && request.kind === 'complaint' && request.clock !== 'no_fixed_day' && (
        <section className="above-3xl" aria-labelledby="acknowledgement">
          <h2 id="acknowledgement">A text to acknowledge it</h2>
          <Acknowledgement request={request} />
        </section>
      )}
      {isOpen && !hasFile && request.kind !== 'complaint' && (
        <section className="above-3xl" aria-labelledby="to-do">
          <h2 id="to-do">What to do</h2>
          <WhatToDo request={request} />
        </section>
      )}
      {hasTexts && request.outcome !== 'erased' && (
        <section className="above-3xl" aria-labelledby="texts">
          <h2 id="texts">{isOpen && '1. '}Notes about the pupil</h2>
          <SubjectTexts request={request} isOpen={isOpen} />
        </section>
      )}
      {isOpen && hasFile && (
        <section className="above-3xl" aria-labelledby="file">
          <h2 id="file">{hasTexts ? '2. ' : '1. '}The file</h2>
          {request.kind === 'educational_record' && (
            <p>The file has what we store. Add the record from your management information system.</p>
          )}
          <SubjectFile request={request} />
        </section>
      )}
      {hasFile && (
        <section className="above-3xl" aria-labelledby="downloads">
          <h2 id="downloads">Downloads</h2>
          {request.downloads.length === 0 ? (
            <p>The file has not been downloaded.</p>
          ) : (
            <ul>
              {request.downloads.map(({ by, at }) => (
                <li key={at}>
                  {formatMoment(at)}: {by ?? 'someone whose account was erased'}
                </li>
              ))}
            </ul>
          )}
        </section>
      )}
      {isOpen && (
        <section className="above-3xl" aria-labelledby="close">
          <h2 id="close">
            {hasTexts ? '3. ' : hasFile ? '2. ' : ''}
            {close}
          </h2>
          <CloseRequest request={request} />
        </section>
      )}
    </>
  );
}

const RELATIONS = { parent: 'a parent or carer', subject: 'the person themselves', other: 'someone else' } as const;

function Facts({ request }: { request: SubjectRequestDetails }) {
  const { noun } = REQUEST_WORDS[request.kind];
  const canConfirm = request.next_steps.includes('identity_confirmed');
  const facts: [string, string | null][] = [
    ['Received', formatDate(request.received_on)],
    ['Kind', REQUEST_WORDS[request.kind].name],
    [
      noun === 'complaint' ? 'Complaint by' : 'Requested by',
      request.requester_name ? `${request.requester_name}, ${RELATIONS[request.requester_relation]}` : 'Erased',
    ],
    ['Details', request.details],
    ['Identity', request.identity_check ?? (canConfirm ? 'Not confirmed yet' : null)],
    [
      'Who decides',
      request.maturity &&
        (request.maturity === 'pupil_decides' ? 'The pupil, who understands it' : 'A parent or carer'),
    ],
    ['Recorded', `${formatMoment(request.opened_at)}${request.opened_by ? ` by ${request.opened_by}` : ''}`],
    [
      'Closed',
      request.closed_at && `${formatMoment(request.closed_at)}${request.closed_by ? ` by ${request.closed_by}` : ''}`,
    ],
    ['How it ended', request.outcome_note],
  ];
  return (
    <dl className={css.facts}>
      {facts.map(
        ([name, text]) =>
          text && (
            <div key={name} style={{ display: 'contents' }}>
              <dt>{name}</dt>
              <dd>{text}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
