import { Button } from '../../../../ui/Button.tsx';
import { useState } from 'react';
import { Link } from '../../../../ui/Link.tsx';
import type { SubjectRequestDetails } from '#contract/calls/subject-requests.ts';
import type { RequestStep } from '#contract/rights.ts';
import { paths } from '../../../../paths.ts';
import { formatDate } from '../../../../shared/format.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { Actions } from '../../../../ui/Actions.tsx';
import { Confirm } from '../../../../ui/Confirm.tsx';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { showToast } from '../../../../ui/toasts.ts';
import { clockSentence } from '../model/clock-sentence.ts';
import { STEP_WORDS } from '../model/request-words.ts';
import { useUndoStep } from '../subject-access.api.ts';
import { useAnnouncement } from '../../../../ui/use-announcement.ts';
import css from '../SubjectRequestPage.module.css';
import { StepForm } from './StepForm.tsx';

/** By when a request is to be answered, what has happened so far, and what can happen next. */
export function RequestClock({ request }: { request: SubjectRequestDetails }) {
  const undo = useUndoStep(useSchoolId(), request.id);
  const [recording, setRecording] = useState<RequestStep | null>(null);
  const [isUndoing, setUndoing] = useState(false);
  const isOpen = request.closed_at === null;
  const deadline = isOpen && clockSentence(request);
  useAnnouncement(deadline);
  const last = request.steps.at(-1);
  const close = () => setRecording(null);
  return (
    <>
      {deadline && <p>{deadline}</p>}
      {isOpen && request.uses_usual_terms && (
        <p>
          Your school has not entered the term dates of each of these years, so we count with the usual ones in England.{' '}
          <Link to={paths.school()}>Enter your term dates on School</Link>.
        </p>
      )}
      {isOpen && request.extend_by && (
        <p>
          You can extend it by two months if you tell the person, with the reason, by {formatDate(request.extend_by)}.
        </p>
      )}
      {request.steps.length > 0 && (
        <ol className={`stack-s measure ${css.steps}`}>
          {request.steps.map(({ id, step, on, note, recorded_by: by }) => (
            <li key={id}>
              <strong>{formatDate(on)}</strong>: {STEP_WORDS[step].name}
              {note && <q>{note}</q>}
              <span>Recorded by {by ?? 'someone whose account was erased'}</span>
            </li>
          ))}
        </ol>
      )}
      {isOpen && (request.next_steps.length > 0 || last) && (
        <div role="group" aria-labelledby="next-steps">
          <h3 id="next-steps" className={css.next}>
            Record what happened
          </h3>
          <Actions>
            {request.next_steps.map((step) => (
              <Button key={step} variant="default" onClick={() => setRecording(step)}>
                {STEP_WORDS[step].action}
              </Button>
            ))}
            {last && (
              <Button variant="subtle" onClick={() => setUndoing(true)}>
                Remove the last step
              </Button>
            )}
          </Actions>
        </div>
      )}
      <Dialog isOpen={recording !== null} onClose={close} title={recording ? STEP_WORDS[recording].action : ''}>
        {recording && <StepForm requestId={request.id} step={recording} onClose={close} />}
      </Dialog>
      {last && (
        <Confirm
          isOpen={isUndoing}
          onClose={() => setUndoing(false)}
          title="Remove the last step?"
          action="Remove the step"
          lost="The step has not been removed."
          onConfirm={async () => {
            await undo.mutateAsync(last.id);
            showToast('Step removed');
          }}
        >
          {formatDate(last.on)}: {STEP_WORDS[last.step].name}. Remove it if it was recorded by mistake. “Changes” keeps
          a record of both.
        </Confirm>
      )}
    </>
  );
}
