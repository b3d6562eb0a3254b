import type { NeedWithReason, PupilWithNeeds } from '#contract/calls/reading-needs.ts';
import { Link } from '../../../../ui/Link.tsx';
import { paths } from '../../../../paths.ts';
import { count } from '../../../../shared/format.ts';
import type { DayRange } from '../../../../ui/date-range.ts';
import { evidencePath } from '../model/evidence.ts';
import { describeResponse } from '../model/response-words.ts';
import { useStaffName } from '../model/use-staff-name.ts';
import { NeedButtons } from './NeedButtons.tsx';
import { WhileOpen } from '../../../school/school/school.public.ts';
import css from './WhoNeedsMe.module.css';

interface Props {
  pupil: PupilWithNeeds;
  /** The days that were evaluated. */
  days: DayRange;
  showsClass: boolean;
  onDone: (need: NeedWithReason) => void;
  onSnoozed: () => void;
}

/** A pupil with the most urgent reason, which links to its evidence. Further reasons are folded. */
export function NeedRow({ pupil, days, showsClass, onDone, onSnoozed }: Props) {
  const nameOf = useStaffName();
  const [first, ...others] = pupil.needs;
  return (
    <li className={css.row} data-need={first?.evidence.kind}>
      <div className={css.who}>
        <Link to={paths.pupil(pupil.id, pupil.group?.id)} className="strong">
          {pupil.name}
        </Link>
        {showsClass && pupil.group && <span className="soft small block">{pupil.group.name}</span>}
      </div>
      <div className={css.why}>
        {first && <Link to={evidencePath(pupil, first.evidence, days)}>{first.reason}</Link>}
        {first?.tried && <span className="soft small block">{describeResponse(first.tried, nameOf)}</span>}
        {others.length > 0 && (
          <details className={css.more}>
            <summary>and {count(others.length, 'more reason')}</summary>
            <ul>
              {others.map(({ reason, evidence }) => (
                <li key={evidence.kind}>
                  <Link to={evidencePath(pupil, evidence, days)}>{reason}</Link>
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
      {first && (
        <WhileOpen>
          <NeedButtons pupil={pupil} need={first} onDone={() => onDone(first)} onSnoozed={onSnoozed} />
        </WhileOpen>
      )}
    </li>
  );
}
