import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { Navigate, useParams, useSearchParams } from '../../../shared/router.ts';
import type { CurrentLevel as Level } from '#contract/calls/pupil-progress.ts';
import { formatYearGroup } from '#contract/year-group.ts';
import { paths } from '../../../paths.ts';
import { isNotFound } from '../../../shared/api-error.ts';
import { count, formatDate, fullName, listInWords } from '../../../shared/format.ts';
import { useIdParam } from '../../../shared/parse-id.ts';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { momentsOf, today } from '../../../shared/school-day.ts';
import { can, canEditPupil, canReadDetails, canRenewLogin } from '../../../shared/can.ts';
import { useSchoolId, useUser } from '../../../shared/session.ts';
import { ButtonLink } from '../../../ui/ButtonLink.tsx';
import { DateRange, rangeInWords } from '../../../ui/DateRange.tsx';
import { lazyDialog } from '../../../ui/lazy-dialog.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { useDateRange } from '../../../ui/use-date-range.ts';
import { useDelayed } from '../../../ui/use-delayed.ts';
import { BookBand, LevelAges } from '../../books/reading-levels/reading-levels.public.ts';
import { comparedWith, ComparisonNote, useComparison } from '../../reading/dashboard/dashboard.public.ts';
import { AccuracyEvidence, PrintReport, PupilWords } from '../../reading/reading-needs/reading-needs.public.ts';
import { progressQuery, parseAccuracyScope } from '../../reading/reading-needs/need-queries.public.ts';
import { ReadingHours } from '../../reading/reading-hours/reading-hours.public.ts';
import { ReadingFigures, SessionsTable } from '../../reading/pupil-progress/pupil-progress.public.ts';
import { pupilSummaryQuery } from '../../reading/pupil-progress/summary.public.ts';
import {
  ClassLink,
  PupilNotFound,
  useCanChange,
  useSchool,
  useSchoolRanges,
  WhileOpen,
} from '../school/school.public.ts';
import { CertificateButton } from '../../help/certificates/certificates.public.ts';
import { WhoLooked } from '../../privacy/record-views/record-views.public.ts';
import { PupilAssistants } from './components/PupilAssistants.tsx';
import { PupilCharts } from './components/PupilCharts.tsx';
import { PupilNotes } from './components/PupilNotes.tsx';
import { PupilTags } from './components/PupilTags.tsx';
import { PupilReasons } from './components/PupilReasons.tsx';
import { RecentCards, ResetPasswordButton } from '../login-cards/login-cards.public.ts';
import { pupilFromLists, pupilQuery } from './pupils.api.ts';
import css from './PupilPage.module.css';

const EditPupilDialog = lazyDialog(async () => (await import('./components/EditPupilDialog.tsx')).EditPupilDialog);

/** A pupil's page, reached from the list of pupils or through a class. */
export default function PupilPage() {
  const id = useIdParam();
  const { classId } = useParams();
  if (id === undefined) return <PupilNotFound />;
  // The key resets the state of the page for each pupil.
  return <Pupil key={id} pupilId={id} classId={classId} />;
}

function Pupil({ pupilId, classId }: { pupilId: number; classId: string | undefined }) {
  const schoolId = useSchoolId();
  const user = useUser();
  const client = useQueryClient();
  const school = useSchool();
  const classes = school?.groups;
  const hasStatistics = school?.features.includes('new_statistics') ?? false;
  const { range, setRange } = useDateRange();
  const schoolRanges = useSchoolRanges();
  const [query] = useSearchParams();
  const accuracyScope = hasStatistics ? parseAccuracyScope(query) : undefined;
  const moments = useMemo(() => momentsOf(range), [range]);
  const result = useQuery({ ...pupilQuery(schoolId, pupilId), placeholderData: () => pupilFromLists(client, pupilId) });
  const summary = useQuery({ ...pupilSummaryQuery(schoolId, pupilId, moments), placeholderData: keepPreviousData });
  const shownComparison = useComparison({ pupilId, range }, hasStatistics);
  const { comparison } = shownComparison;
  const { data: progress, isPlaceholderData: isProgressStale } = useQuery({
    ...progressQuery(schoolId, pupilId, range),
    enabled: hasStatistics,
    placeholderData: keepPreviousData,
  });
  const isLate = useDelayed(summary.isPlaceholderData);
  const canChange = useCanChange();
  const [isEditing, setEditing] = useState(false);

  if (isNotFound(result.error) || isNotFound(summary.error)) return <PupilNotFound />;

  const pupil = result.data?.reader;
  const hasRead = summary.data?.reading_sessions.length !== 0;
  // The pupil has moved since the link was made, or was never in this class.
  if (pupil && classId !== undefined && !result.isPlaceholderData && String(pupil.group?.id) !== classId)
    return <Navigate to={paths.pupil(pupilId, pupil.group?.id)} replace />;
  const hasLead = school?.users.some(({ role }) => role === 'reading_lead') ?? false;
  const teachers = classes?.find(({ id }) => id === pupil?.group?.id)?.teachers ?? [];
  const through = classes?.find((schoolClass) => String(schoolClass.id) === classId);
  const above = through
    ? [
        { text: 'Classes', to: paths.classes() },
        { text: through.name, to: paths.classPage(through.id) },
      ]
    : [{ text: 'Pupils', to: paths.pupils() }];

  return (
    <>
      <PageHeader
        title={pupil?.name ?? 'Pupil'}
        crumbs={above}
        actions={
          <>
            {pupil && (
              <WhileOpen>
                {canEditPupil(user, pupil) && (
                  <Button variant="default" onClick={() => setEditing(true)}>
                    UPDATE PUPIL NAME
                  </Button>
                )}
                {canRenewLogin(user, pupil) && <ResetPasswordButton pupil={pupil} />}
              </WhileOpen>
            )}
            {pupil && can(user, 'edit_school', school) && (
              <ButtonLink to={paths.newSubjectRequest({ pupil: pupilId })} variant="default">
                Data request
              </ButtonLink>
            )}
            {pupil && <CertificateButton recipient={{ kind: 'pupil', id: pupilId, name: pupil.name }} />}
            <ButtonLink to={paths.pupilBooks(pupilId, classId)}>
              {canChange && can(user, 'manage_books') ? 'MANAGE BOOKS' : 'Books'}
            </ButtonLink>
          </>
        }
        lead={
          <span className={css.lead}>
            {pupil && (pupil.group ? <ClassLink schoolClass={pupil.group} /> : <span>No class</span>)}
            {pupil?.year_group && <span>{formatYearGroup(pupil.year_group)}</span>}
            {pupil && (
              <span>
                Username <strong>{pupil.username}</strong>
              </span>
            )}
            {progress?.level && <CurrentLevel level={progress.level} />}
          </span>
        }
      >
        {pupil?.name ?? '\u00a0'}
      </PageHeader>
      {pupil && progress?.level && <LevelAges level={progress.level.reading_level} yearGroup={pupil.year_group} />}
      {result.error && !pupil && <ErrorNotice error={result.error} onRetry={() => void result.refetch()} />}
      <RecentCards pupilIds={[pupilId]} />
      {accuracyScope !== undefined && (
        <AccuracyEvidence pupilId={pupilId} classId={classId} range={range} scope={accuracyScope} />
      )}
      {hasStatistics && pupil && canReadDetails(user, pupil) && <PupilReasons pupil={pupil} />}
      {hasStatistics &&
        pupil &&
        !result.isPlaceholderData &&
        can(user, 'view_details') &&
        !canReadDetails(user, pupil) && (
          <p className="soft">
            Only {listInWords([...teachers.map(fullName), ...(hasLead ? ['reading leads'] : []), 'admins'])} can see
            this pupil’s words to practise and why they may need help, and act on it.
          </p>
        )}
      <div className={`row ${css.tools} no-print`}>
        <DateRange value={range} onChange={setRange} more={schoolRanges} />
        {hasRead && <ComparisonNote {...shownComparison} range={range} />}
        {hasStatistics && pupil && canReadDetails(user, pupil) && (
          <div className={css.print}>
            <PrintReport pupil={pupil} range={range} />
          </div>
        )}
      </div>
      <ReadingFigures figures={summary.data} isStale={isLate} />
      {hasStatistics && progress && (
        <div className="below-m">
          <ReadingHours inSchool={progress.hours.in_school} outside={progress.hours.outside} />
        </div>
      )}
      {hasRead && (
        <PupilCharts
          pupilId={pupilId}
          range={range}
          shownComparison={shownComparison}
          paperNote={[rangeInWords(range), !shownComparison.isStale && comparison && comparedWith(comparison, range.to)]
            .filter(Boolean)
            .join('. ')}
        />
      )}
      <SessionsTable
        pupilId={pupilId}
        range={moments}
        sessions={summary.data?.reading_sessions}
        isStale={summary.isPlaceholderData}
        failure={summary.error && <ErrorNotice error={summary.error} onRetry={() => void summary.refetch()} />}
      />
      {hasRead && pupil && can(user, 'view_details') && progress?.words && (
        <PupilWords pupil={pupil} words={progress.words} range={range} isStale={isProgressStale} />
      )}
      {pupil && canReadDetails(user, pupil) && <PupilTags pupil={pupil} />}
      {pupil && canReadDetails(user, pupil) && <PupilNotes pupil={pupil} />}
      {pupil?.can_update && school && <PupilAssistants pupil={pupil} school={school} />}
      {pupil && can(user, 'edit_school', school) && <WhoLooked pupilId={pupilId} />}
      {pupil && <EditPupilDialog pupil={pupil} isOpen={isEditing} onClose={() => setEditing(false)} />}
    </>
  );
}

/** `Level 4 since 4 September 2026, 54 school days`, `Level 4 since today` */
const CurrentLevel = ({ level: { reading_level, since, school_days } }: { level: Level }) => (
  <span>
    Level <strong>{reading_level}</strong>
    <BookBand level={reading_level} isBracketed /> since {since === today() ? 'today' : formatDate(since)}
    {school_days > 0 && `, ${count(school_days, 'school day')}`}
  </span>
);
