import { Button } from '../../../../ui/Button.tsx';
import type { PupilWithHiddenNeeds } from '#contract/calls/reading-needs.ts';
import { Link } from '../../../../ui/Link.tsx';
import { paths } from '../../../../paths.ts';
import { count } from '../../../../shared/format.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { describeEnd, describeResponse } from '../model/response-words.ts';
import { useStaffName } from '../model/use-staff-name.ts';
import { useUndoResponse } from '../reading-needs.api.ts';
import { WhileOpen } from '../../../school/school/school.public.ts';
import css from './WhoNeedsMe.module.css';

/** Reasons that staff dealt with or snoozed: what they did, and until when the reason is hidden. */
export function HiddenNeeds({ pupils }: { pupils: readonly PupilWithHiddenNeeds[] }) {
  if (pupils.length === 0) return null;
  const reasons = pupils.reduce((sum, { hidden }) => sum + hidden.length, 0);
  return (
    <details className={`${css.hidden} no-print`}>
      <summary>{count(reasons, 'reason')} done or snoozed</summary>
      <ul className={css.list} aria-label="Done or snoozed">
        {pupils.flatMap((pupil) =>
          pupil.hidden.map((hidden) => (
            <li key={hidden.response.id} className={css.row}>
              <div className={css.who}>
                <Link to={paths.pupil(pupil.id, pupil.group?.id)} className="strong">
                  {pupil.name}
                </Link>
              </div>
              <HiddenNeed pupil={pupil} {...hidden} />
            </li>
          )),
        )}
      </ul>
    </details>
  );
}

type Props = PupilWithHiddenNeeds['hidden'][number] & { pupil: { id: number; name: string } };

/** A hidden reason, with Undo. */
export function HiddenNeed({ pupil, reason, response }: Props) {
  const undo = useUndoResponse(useSchoolId(), pupil.id);
  const nameOf = useStaffName();
  return (
    <>
      <div className={css.why}>
        {reason}
        <span className="soft small block">
          {describeResponse(response, nameOf)}. {describeEnd(response)}.
        </span>
        {undo.error && <ErrorNotice error={undo.error} />}
      </div>
      <WhileOpen>
        <Button
          variant="subtle"
          size="compact-md"
          className={`${css.undo} no-print`}
          aria-label={`Undo: ${pupil.name}, ${reason}`}
          loading={undo.isPending}
          onClick={() => undo.mutate(response.id)}
        >
          Undo
        </Button>
      </WhileOpen>
    </>
  );
}
