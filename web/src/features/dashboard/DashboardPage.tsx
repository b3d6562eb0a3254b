import { NativeSelect } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { paths } from '../../paths.ts';
import { can } from '../../shared/can.ts';
import { count } from '../../shared/format.ts';
import { ownClasses } from '../../shared/own-classes.ts';
import { useUser } from '../../shared/session.ts';
import { ButtonLink } from '../../ui/ButtonLink.tsx';
import { DateRange, rangeInWords } from '../../ui/DateRange.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { QueryForm } from '../../ui/QueryForm.tsx';
import { useDateRange } from '../../ui/use-date-range.ts';
import { HardWords, NotReadThisWeek, WhoNeedsMe } from '../reading-needs/reading-needs.public.ts';
import { useSchool, useSchoolRanges } from '../school/school.public.ts';
import { comparisonQuery } from './dashboard.api.ts';
import { comparedWith } from './model/changes.ts';
import { CHARTS } from './model/charts.ts';
import { classInAddress, withClass } from './model/class-choice.ts';
import { ComparisonNote } from './components/ComparisonNote.tsx';
import { DashboardChart } from './components/DashboardChart.tsx';
import { SetupChecklist } from './components/SetupChecklist.tsx';
import css from './DashboardPage.module.css';

/** Reading of a class or of all, in five charts. */
export default function DashboardPage() {
  const user = useUser();
  const school = useSchool();
  const [query, setQuery] = useSearchParams();
  const { range, setRange } = useDateRange();
  const schoolRanges = useSchoolRanges();
  const classId = classInAddress(query);
  const chosen = school?.groups.find(({ id }) => id === classId);

  // The list answers at once; the address, and with it the charts, follows.
  const inAddress = classId === undefined ? '' : String(classId);
  const [picked, setPicked] = useState(inAddress);
  useEffect(() => setPicked(inAddress), [inAddress]);

  const choose = (id: string) => {
    setPicked(id);
    setQuery((old) => withClass(old, id), { preventScrollReset: true });
  };
  // Deleted since the link was kept, or another school's.
  // A form without scripts sends an empty one for all classes.
  const isGone = Boolean(query.get('class')) && school !== undefined && !chosen;

  const isAdmin = user.enterprise_user_role === 'admin';
  const own = ownClasses(user, school);
  // All classes of somebody who has one are that one.
  const mine = own.length === 1 ? own[0] : undefined;
  const shown = chosen ?? (classId === undefined ? mine : undefined);
  const ofWhom = chosen ? [chosen] : own;
  const all = isAdmin ? 'All classes' : mine ? `My class: ${mine.name}` : 'All my classes';
  const hasNoClass = !isAdmin && school !== undefined && classId === undefined && own.length === 0;

  const hasStatistics = school?.features.includes('new_statistics') ?? false;
  // Another teacher's class has no needs to show.
  const seesNeeds = hasStatistics && (chosen?.user_manages ?? true);

  const scope = { classId, range };
  const comparison = useQuery({
    ...comparisonQuery(scope),
    enabled: hasStatistics && !isGone,
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
        <QueryForm sets={['class']} action="Show" className={css.class}>
          <NativeSelect
            label="Class"
            name="class"
            value={isGone || picked === String(mine?.id) ? '' : picked}
            onChange={(event) => choose(event.currentTarget.value)}
            data={[
              { value: '', label: isGone ? 'Choose a class' : all },
              ...(school?.groups ?? [])
                .filter((one) => one !== mine)
                .map(({ id, name, readers_count: pupilCount }) => ({
                  value: String(id),
                  label: `${name} (${count(pupilCount, 'pupil')})`,
                })),
            ]}
          />
        </QueryForm>
      </div>
      {isGone ? (
        <div className={css.sheet}>
          <EmptyState
            title="Your school has no such class"
            action={
              <ButtonLink to={paths.dashboard()}>
                {isAdmin ? 'Show all classes' : mine ? `Show ${mine.name}` : 'Show all my classes'}
              </ButtonLink>
            }
          >
            It may have been deleted since the link was made.
          </EmptyState>
        </div>
      ) : shown?.readers_count === 0 ? (
        <div className={css.sheet}>
          <EmptyState
            title="No pupils in this class"
            action={shown.user_manages && <ButtonLink to={paths.addPupilsToClass(shown.id)}>Add Pupils</ButtonLink>}
          >
            {shown.user_manages
              ? `Add pupils to ${shown.name} to see how they read.`
              : `Once ${shown.name} has pupils, how they read is shown here.`}
          </EmptyState>
        </div>
      ) : hasNoClass ? (
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
          {seesNeeds && <WhoNeedsMe key={classId} classId={classId} showsClass={!shown} />}
          {seesNeeds && ofWhom.length > 0 && <NotReadThisWeek key={classId} classes={ofWhom} classId={classId} />}
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
                  `${shown?.name ?? all}, ${rangeInWords(range)}`,
                  comparison && comparedWith(comparison, range.to),
                ]
                  .filter(Boolean)
                  .join('. ')}
              />
            ))}
          </div>
          {seesNeeds && shown && <HardWords key={shown.id} classId={shown.id} range={range} />}
        </>
      )}
    </>
  );
}
