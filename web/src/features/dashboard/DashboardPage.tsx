import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { paths } from '../../paths.ts';
import { can } from '../../shared/can.ts';
import { useUser } from '../../shared/session.ts';
import { ButtonLink } from '../../ui/ButtonLink.tsx';
import { DateRange, rangeInWords } from '../../ui/DateRange.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { useDateRange } from '../../ui/use-date-range.ts';
import { HardWords, NotReadThisWeek, WhoNeedsMe } from '../reading-needs/reading-needs.public.ts';
import { useSchoolRanges } from '../school/school.public.ts';
import { comparisonQuery } from './dashboard.api.ts';
import { comparedWith } from './model/changes.ts';
import { CHARTS } from './model/charts.ts';
import { useDashboardScope } from './model/use-dashboard-scope.ts';
import { ClassChoice } from './components/ClassChoice.tsx';
import { ComparisonNote } from './components/ComparisonNote.tsx';
import { DashboardChart } from './components/DashboardChart.tsx';
import { SetupChecklist } from './components/SetupChecklist.tsx';
import css from './DashboardPage.module.css';

/** Reading of a class or of all, in five charts. */
export default function DashboardPage() {
  const user = useUser();
  const dashboardScope = useDashboardScope();
  const { school, classId, shownClass, classesInScope, scopeName } = dashboardScope;
  const { range, setRange } = useDateRange();
  const schoolRanges = useSchoolRanges();

  const hasStatistics = school?.features.includes('new_statistics') ?? false;
  const canSeeNeeds = hasStatistics && dashboardScope.canSeeNeeds;

  const scope = { classId, range };
  const comparison = useQuery({
    ...comparisonQuery(scope),
    enabled: hasStatistics && !dashboardScope.isClassMissing,
    placeholderData: keepPreviousData,
  }).data?.comparison;

  if (school && !school.setup.has_chart_data)
    return (
      <>
        <PageHeader title="Dashboard" lead={`Welcome to ${school.name}.`} />
        <SetupChecklist school={school} canInvite={school.user_manages || can(user, 'add_teacher', school)} />
      </>
    );

  return (
    <>
      <PageHeader title="Dashboard" />
      <div className={css.tools}>
        <ClassChoice scope={dashboardScope} classes={school?.groups ?? []} />
      </div>
      {dashboardScope.isClassMissing ? (
        <div className={css.sheet}>
          <EmptyState
            title="Your school has no such class"
            action={<ButtonLink to={paths.dashboard()}>{dashboardScope.showAllText}</ButtonLink>}
          >
            It may have been deleted since the link was made.
          </EmptyState>
        </div>
      ) : shownClass?.readers_count === 0 ? (
        <div className={css.sheet}>
          <EmptyState
            title="No pupils in this class"
            action={
              shownClass.user_manages && <ButtonLink to={paths.addPupilsToClass(shownClass.id)}>Add Pupils</ButtonLink>
            }
          >
            {shownClass.user_manages
              ? `Add pupils to ${shownClass.name} to see how they read.`
              : `Once ${shownClass.name} has pupils, how they read is shown here.`}
          </EmptyState>
        </div>
      ) : dashboardScope.isWithoutClass ? (
        <div className={css.sheet}>
          <EmptyState
            title="You are not a teacher of a class yet"
            action={<ButtonLink to={paths.classes()}>Go to classes</ButtonLink>}
          >
            Your own classes will be shown here. Choose a class above to see how it reads.
          </EmptyState>
        </div>
      ) : (
        <>
          {canSeeNeeds && <WhoNeedsMe key={classId} classId={classId} showsClass={!shownClass} />}
          {canSeeNeeds && classesInScope.length > 0 && (
            <NotReadThisWeek key={classId} classes={classesInScope} classId={classId} />
          )}
          <div className={css.tools}>
            <DateRange value={range} onChange={setRange} more={schoolRanges} />
            <ComparisonNote comparison={comparison} range={range} />
          </div>
          <div className={css.charts}>
            {CHARTS.map((kind, index) => (
              <DashboardChart
                key={kind.name}
                kind={kind}
                isFolded={index > 0}
                scope={scope}
                comparison={comparison}
                paperNote={[
                  `${shownClass?.name ?? scopeName}, ${rangeInWords(range)}`,
                  comparison && comparedWith(comparison, range.to),
                ]
                  .filter(Boolean)
                  .join('. ')}
              />
            ))}
          </div>
          {canSeeNeeds && shownClass && <HardWords key={shownClass.id} classId={shownClass.id} range={range} />}
        </>
      )}
    </>
  );
}
