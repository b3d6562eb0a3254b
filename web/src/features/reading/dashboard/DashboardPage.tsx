import { paths } from '../../../paths.ts';
import { can } from '../../../shared/can.ts';
import { useSearchParams } from '../../../shared/router.ts';
import { useUser } from '../../../shared/session.ts';
import { ButtonLink } from '../../../ui/ButtonLink.tsx';
import { DateRange, rangeInWords } from '../../../ui/DateRange.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { Link } from '../../../ui/Link.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { useDateRange } from '../../../ui/use-date-range.ts';
import { ReadingLine } from '../class-reading/class-reading.public.ts';
import { weekInUrl } from '../class-reading/line-queries.public.ts';
import { HardWords, WhoNeedsMe } from '../reading-needs/reading-needs.public.ts';
import { useSchoolRanges, WhileOpen } from '../../school/school/school.public.ts';
import { NoClassYet, SecondAdminNotice } from '../../school/succession/succession.public.ts';
import { comparedWith } from './model/changes.ts';
import { CHARTS } from './model/charts.ts';
import { useComparison } from './model/use-comparison.ts';
import { useDashboardScope } from './model/use-dashboard-scope.ts';
import { ClassChoice } from './components/ClassChoice.tsx';
import { ComparisonNote } from './components/ComparisonNote.tsx';
import { DownloadCharts } from './components/DownloadCharts.tsx';
import { DashboardChart } from './components/DashboardChart.tsx';
import { PrintedPupils } from './components/PrintedPupils.tsx';
import { SetupChecklist } from './components/SetupChecklist.tsx';
import css from './DashboardPage.module.css';

/** For a teaching assistant without a class. */
const SHOWN_LATER = 'You will see here how its pupils read.';

/** The reading of a class or of all classes, in charts. */
export default function DashboardPage() {
  const user = useUser();
  const dashboardScope = useDashboardScope();
  const { school, classId, shownClass, scopeName } = dashboardScope;
  const { range, setRange } = useDateRange();
  const schoolRanges = useSchoolRanges();
  const week = weekInUrl(useSearchParams()[0]);

  const hasStatistics = school?.features.includes('new_statistics') ?? false;
  const canSeeNeeds = hasStatistics && dashboardScope.canSeeNeeds;

  const scope = { classId, range };
  const hasCharts = !dashboardScope.isClassMissing && !dashboardScope.isWithoutClass && shownClass?.readers_count !== 0;
  const shownComparison = useComparison(scope, hasStatistics && !dashboardScope.isClassMissing);
  const { comparison, isStale } = shownComparison;

  if (school && !school.setup.has_chart_data)
    return (
      <>
        <PageHeader title="Dashboard" lead={`Welcome to ${school.name}.`} />
        <SecondAdminNotice school={school} />
        {!can(user, 'manage_classes') ? (
          <div className="sheet">
            {school.groups.length === 0 ? (
              <NoClassYet leadsToPupils school={school}>
                {SHOWN_LATER}
              </NoClassYet>
            ) : (
              <EmptyState title="No reading yet">The charts appear here once pupils have read.</EmptyState>
            )}
          </div>
        ) : (
          <WhileOpen>
            <SetupChecklist school={school} canInvite={school.user_manages || can(user, 'add_teacher', school)} />
          </WhileOpen>
        )}
      </>
    );

  return (
    <>
      <PageHeader
        title="Dashboard"
        actions={
          <>
            <ClassChoice scope={dashboardScope} classes={school?.groups ?? []} />
            {hasCharts && <DownloadCharts charts={CHARTS} scope={scope} hasSummary={hasStatistics} />}
          </>
        }
      />
      {school && <SecondAdminNotice school={school} />}
      {dashboardScope.isClassMissing ? (
        <div className="sheet">
          <EmptyState
            title="Class not found"
            action={<ButtonLink to={paths.dashboard()}>{dashboardScope.showAllText}</ButtonLink>}
          >
            It may have been deleted, or the link may be wrong.
          </EmptyState>
        </div>
      ) : shownClass?.readers_count === 0 ? (
        <div className="sheet">
          <EmptyState
            title="No pupils in this class"
            action={
              shownClass.user_manages && (
                <WhileOpen>
                  <ButtonLink to={paths.addPupilsToClass(shownClass.id)}>Add Pupils</ButtonLink>
                </WhileOpen>
              )
            }
          >
            {shownClass.user_manages
              ? `Add pupils to ${shownClass.name} to see how they read.`
              : `Once ${shownClass.name} has pupils, you can see here how they read.`}
          </EmptyState>
        </div>
      ) : dashboardScope.isWithoutClass && school && !can(user, 'manage_classes') ? (
        <div className="sheet">
          <NoClassYet leadsToPupils school={school}>
            {SHOWN_LATER}
          </NoClassYet>
        </div>
      ) : dashboardScope.isWithoutClass ? (
        <div className="sheet">
          <EmptyState
            title="You are not a teacher of a class yet"
            action={<ButtonLink to={paths.classes()}>Go to classes</ButtonLink>}
          >
            Your own classes will be shown here. Choose a class above to see how it reads.
          </EmptyState>
        </div>
      ) : (
        <>
          {hasStatistics && <ReadingLine classId={classId} />}
          {canSeeNeeds && (
            <WhoNeedsMe key={classId} classId={classId} showsClass={!shownClass} hasWeek={week === undefined} />
          )}
          <div className="tools no-print">
            <DateRange value={range} onChange={setRange} more={schoolRanges} />
            <ComparisonNote {...shownComparison} range={range} />
            {canSeeNeeds && can(user, 'manage_reasons', school) && (
              <Link to={paths.lowestFifth()}>The lowest fifth of a year</Link>
            )}
          </div>
          <div id="rest-of-page" className={`tiled ${css.charts}`}>
            {CHARTS.map((kind, index) => (
              <DashboardChart
                key={kind.name}
                kind={kind}
                isFoldedOnPhone={index > 0}
                scope={scope}
                shownComparison={shownComparison}
                paperNote={[
                  `${shownClass?.name ?? scopeName}, ${rangeInWords(range)}`,
                  !isStale && comparison && comparedWith(comparison, range.to),
                ]
                  .filter(Boolean)
                  .join('. ')}
              />
            ))}
          </div>
          <PrintedPupils scope={scope} />
          {canSeeNeeds && shownClass && (
            <HardWords key={`words ${String(shownClass.id)}`} schoolClass={shownClass} range={range} />
          )}
        </>
      )}
    </>
  );
}
