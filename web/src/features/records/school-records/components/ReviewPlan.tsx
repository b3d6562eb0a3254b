import { Button } from '../../../../ui/Button.tsx';
import { Checkbox } from '../../../../ui/Checkbox.tsx';
import { useState } from 'react';
import { useNavigate } from '../../../../shared/router.ts';
import type { Run } from '#contract/calls/runs.ts';
import type { SchoolRecordsPlan } from '#contract/calls/school-records.ts';
import { paths } from '../../../../paths.ts';
import { count } from '../../../../shared/format.ts';
import { useIdempotencyKey } from '../../../../shared/idempotency-key.ts';
import { currentTime } from '../../../../shared/page-scope.ts';
import { useSchoolId, useUser } from '../../../../shared/session.ts';
import { DisabledReasonButton } from '../../../../ui/DisabledReasonButton.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { Notice } from '../../../../ui/Notice.tsx';
import { DEFAULT_SUCCESS, showToast } from '../../../../ui/toasts.ts';
import { storeNewLogins } from '../../../school/login-cards/login-cards.public.ts';
import { type Choices, countAdded, countChanges, NO_CHOICES, toAnswers } from '../model/answers.ts';
import { changesInWords, sourceOf } from '../../runs/runs.public.ts';
import { useApplyRun, useDiscardRun } from '../school-records.api.ts';
import { FileNotes } from './FileNotes.tsx';
import { PlannedChanges } from './PlannedChanges.tsx';
import { PlanQuestions } from './PlanQuestions.tsx';
import { WhileOpen } from '../../../school/school/school.public.ts';
import { StickyFoot } from '../../../../ui/StickyFoot.tsx';
import { useAnnouncement } from '../../../../ui/use-announcement.ts';

interface Props {
  run: Run;
  plan: SchoolRecordsPlan;
  version: string;
  notes: readonly string[];
}

/** What a file would change, the questions that it raises, and one button to apply it. */
export function ReviewPlan({ run, plan, version, notes }: Props) {
  const schoolId = useSchoolId();
  const userId = useUser().id;
  const navigate = useNavigate();
  const apply = useApplyRun(schoolId, run.id);
  const discard = useDiscardRun(schoolId, run.id);
  const { keyFor } = useIdempotencyKey();
  const [choices, setChoices] = useState<Choices>(NO_CHOICES);
  const change = (part: Partial<Choices>) => setChoices((before) => ({ ...before, ...part }));
  const source = sourceOf(run);
  const changes = countChanges(plan, choices);
  const planned = changes === 0 ? 'Nothing would change.' : `${count(changes, 'change')} to make`;
  useAnnouncement(planned);
  const isOnHold = plan.on_hold !== null && !choices.isConfirmed;

  const applyPlan = async () => {
    const answers = toAnswers(version, choices);
    const added = countAdded(plan, choices);
    try {
      const {
        links,
        run: applied,
        failed_invites: failed,
      } = await apply.mutateAsync({
        ...answers,
        idempotencyKey: keyFor(answers),
      });
      const summary = applied.counts ? `${changesInWords(applied.counts, applied.kind)}.` : '';
      if (links) storeNewLogins({ userId, at: currentTime(), links, summary, count: added, classId: null });
      showToast(DEFAULT_SUCCESS, { detail: [summary, ...failed].join(' ') });
    } catch {
      // Shown as an error below.
    }
  };

  return (
    <>
      <FileNotes notes={notes} />
      {plan.on_hold && (
        <Notice kind="warning" title="Please check: many pupils would change">
          {plan.on_hold.reason === 'leaving'
            ? `${count(plan.on_hold.pupils, 'pupil')} of ${plan.on_hold.total} are missing from ${source}. An export that stopped half-way looks like this.`
            : `${count(plan.on_hold.pupils, 'pupil')} of ${plan.on_hold.total} would change. The records of another school or year look like this.`}
          <Checkbox
            label="I have checked the lists below, and they are right"
            checked={choices.isConfirmed}
            onChange={(event) => change({ isConfirmed: event.currentTarget.checked })}
          />
        </Notice>
      )}
      <PlanQuestions source={source} plan={plan} choices={choices} onChange={change} />
      <PlannedChanges source={source} plan={plan} choices={choices} onChange={change} />
      {apply.error && <ErrorNotice error={apply.error} lost="Nothing has been changed." />}
      {discard.error && <ErrorNotice error={discard.error} />}
      <StickyFoot>
        <p>{planned}</p>
        <WhileOpen>
          <div className="cluster">
            <Button
              variant="default"
              loading={discard.isPending}
              onClick={() => discard.mutate(undefined, { onSuccess: () => void navigate(paths.schoolRecords()) })}
            >
              {run.origin === 'file' ? 'Discard this file' : 'Discard these changes'}
            </Button>
            <DisabledReasonButton
              side="above"
              loading={apply.isPending}
              disabledReason={isOnHold ? 'Check the lists first, and tick that they are right.' : undefined}
              onClick={() => void applyPlan()}
            >
              Apply
            </DisabledReasonButton>
          </div>
        </WhileOpen>
      </StickyFoot>
    </>
  );
}
