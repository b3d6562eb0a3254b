import { Button } from '../../../ui/Button.tsx';
import { useState } from 'react';
import type { ReplyOf } from '#contract/call.ts';
import type { UndoPlan } from '#contract/calls/runs.ts';
import type { schoolCalls } from '#contract/calls/school.ts';
import type { YearEndRecords, yearEndCalls } from '#contract/calls/year-end.ts';
import { paths } from '../../../paths.ts';
import { count, formatDate } from '../../../shared/format.ts';
import { groupBy } from '../../../shared/group-by.ts';
import { useSchoolId } from '../../../shared/session.ts';
import { usePrefetchedQuery } from '../../../shared/use-prefetched-query.ts';
import { ButtonLink } from '../../../ui/ButtonLink.tsx';
import { Confirm } from '../../../ui/Confirm.tsx';
import { DisabledReasonButton } from '../../../ui/DisabledReasonButton.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { LeaveGuard } from '../../../ui/LeaveGuard.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { DEFAULT_SUCCESS, showToast } from '../../../ui/toasts.ts';
import { ClassStep } from './components/ClassStep.tsx';
import { NextSteps } from './components/NextSteps.tsx';
import { RecordsNotice } from './components/RecordsNotice.tsx';
import { buildInitialPlan, type ClassPlan, nameProblems, stepsOf } from './model/year-end-plan.ts';
import { schoolWithPupilsQuery, useApplyYearEnd, yearEndQuery } from './year-end.api.ts';
import { SkippedNotice, UndoDialog } from '../runs/runs.public.ts';
import { StickyFoot } from '../../../ui/StickyFoot.tsx';
import { useAnnouncement } from '../../../ui/use-announcement.ts';

/** Moves all classes up in summer: the plan for each, every pupil concerned, and one button. For admins. */
export default function YearEndPage() {
  const schoolId = useSchoolId();
  const found = usePrefetchedQuery(schoolWithPupilsQuery(schoolId));
  const lastYearEnd = usePrefetchedQuery(yearEndQuery(schoolId));
  const school = found.data?.enterprise;
  const [skipped, setSkipped] = useState<UndoPlan['skipped']>([]);

  return (
    <>
      <PageHeader
        title="Year end"
        crumbs={[{ text: 'Classes', to: paths.classes() }]}
        lead="Classes move up with their pupils, and the last year leaves. Nothing changes until you confirm, and you can undo it for 30 days."
      />
      <SkippedNotice skipped={skipped} />
      {!school || !lastYearEnd.data ? (
        <ErrorNotice
          error={found.error ?? lastYearEnd.error}
          onRetry={() => void Promise.all([found.refetch(), lastYearEnd.refetch()])}
        />
      ) : lastYearEnd.data.year_end ? (
        <>
          <Undo yearEnd={lastYearEnd.data.year_end} onUndone={setSkipped} />
          {lastYearEnd.data.records && <NextSteps records={lastYearEnd.data.records} />}
        </>
      ) : school.groups.length === 0 ? (
        <EmptyState title="No classes yet" action={<ButtonLink to={paths.classes()}>Go to all classes</ButtonLink>}>
          Your school’s classes will be listed here, with what happens to each one.
        </EmptyState>
      ) : (
        <>
          <RecordsNotice records={lastYearEnd.data.records} />
          <Plan school={school} records={lastYearEnd.data.records} />
        </>
      )}
    </>
  );
}

type School = ReplyOf<typeof schoolCalls.getSchool>['enterprise'];
type YearEnd = NonNullable<ReplyOf<typeof yearEndCalls.getYearEnd>['year_end']>;

function Plan({ school, records }: { school: School; records: YearEndRecords | null }) {
  const schoolId = useSchoolId();
  const apply = useApplyYearEnd(schoolId);
  const [changed, setChanged] = useState<ReadonlyMap<number, ClassPlan>>(new Map());
  const [isAsking, setAsking] = useState(false);
  const { groups: classes, users: staff } = school;
  const proposals = records?.state === 'planned' ? records.classes : [];
  const planOf = (schoolClass: School['groups'][number]) =>
    changed.get(schoolClass.id) ?? buildInitialPlan(schoolClass, proposals);
  const plans = new Map(classes.map((schoolClass) => [schoolClass.id, planOf(schoolClass)]));
  const problems = nameProblems(classes, plans);
  const members = groupBy(school.readers ?? [], (pupil) => pupil.group?.id);
  const steps = stepsOf(classes, plans);
  const classesWith = (step: ClassPlan['step']) => classes.filter(({ id }) => plans.get(id)?.step === step);
  const pupilsOf = (step: ClassPlan['step']) =>
    classesWith(step).reduce((sum, { id }) => sum + (members.get(id)?.length ?? 0), 0);
  const leaving = pupilsOf('leaves');
  const summary = `${count(pupilsOf('moves_up'), 'pupil')} of ${count(classesWith('moves_up').length, 'class', 'classes')} move up, ${count(leaving, 'pupil')} leave`;
  useAnnouncement(summary);

  return (
    <>
      <ul className="stack-m below-2xl" aria-label="Classes">
        {classes.map((schoolClass) => (
          <ClassStep
            key={schoolClass.id}
            schoolClass={schoolClass}
            pupils={members.get(schoolClass.id) ?? []}
            staff={staff}
            plan={planOf(schoolClass)}
            proposal={proposals.find(({ group_id: id }) => id === schoolClass.id)}
            problem={problems.get(schoolClass.id)}
            onChange={(plan) => setChanged(new Map(changed).set(schoolClass.id, plan))}
          />
        ))}
      </ul>
      <StickyFoot>
        <p>{summary}</p>
        <DisabledReasonButton
          side="above"
          disabledReason={
            problems.size > 0
              ? [...problems.values()][0]
              : steps.length === 0
                ? 'Choose what happens to at least one class.'
                : undefined
          }
          onClick={() => setAsking(true)}
        >
          Apply the year-end changes
        </DisabledReasonButton>
      </StickyFoot>
      <LeaveGuard isDirty={changed.size > 0 && !apply.isSuccess}>
        The year-end changes have not been applied yet.
      </LeaveGuard>
      <Confirm
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title="Apply the year-end changes?"
        action="Apply the year-end changes"
        lost="Nothing has been changed."
        onConfirm={async () => {
          await apply.mutateAsync(steps);
          showToast(DEFAULT_SUCCESS, { detail: summary });
        }}
      >
        <p>
          {summary}.{leaving > 0 && ' The logins of pupils who leave stop working at once.'} You or another
          administrator can undo it for 30 days.
        </p>
      </Confirm>
    </>
  );
}

function Undo({ yearEnd, onUndone }: { yearEnd: YearEnd; onUndone: (skipped: UndoPlan['skipped']) => void }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Notice
        kind="success"
        title={`The year-end changes were applied on ${formatDate(yearEnd.applied_at)}`}
        action={
          <>
            <ButtonLink to={paths.classes()} size="sm">
              Show classes
            </ButtonLink>
            <Button size="sm" variant="default" onClick={() => setAsking(true)}>
              Undo the year end
            </Button>
          </>
        }
      >
        {count(yearEnd.moved_classes, 'class', 'classes')} moved up and {count(yearEnd.left_pupils, 'pupil')} left
        {yearEnd.applied_by && `, by ${yearEnd.applied_by.name}`}. You can undo them until{' '}
        {formatDate(yearEnd.undo_until)}.
      </Notice>
      <UndoDialog
        run={{ id: yearEnd.id, kind: 'year_end' }}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onUndone={onUndone}
      />
    </>
  );
}
