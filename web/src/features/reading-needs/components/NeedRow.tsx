import { Button } from '@mantine/core';
import type { PupilInNeed } from '#contract/calls/reading-needs.ts';
import { Link } from 'react-router';
import { paths } from '../../../paths.ts';
import { count } from '../../../shared/format.ts';
import type { DayRange } from '../../../ui/date-range.ts';
import { evidencePath } from '../model/evidence.ts';
import css from './WhoNeedsMe.module.css';

interface Props {
  pupil: PupilInNeed;
  /** The days that were looked at. */
  days: DayRange;
  showsClass: boolean;
  onDismiss: () => void;
}

/** A pupil with the gravest reason, which leads to its evidence; further reasons are a click away. */
export function NeedRow({ pupil, days, showsClass, onDismiss }: Props) {
  const [first, ...others] = pupil.needs;
  return (
    <li className={css.row} data-need={first?.evidence.kind}>
      <div className={css.who}>
        <Link to={paths.pupil(pupil.id, pupil.group?.id)} className={css.name}>
          {pupil.name}
        </Link>
        {showsClass && pupil.group && <span className={css.class}>{pupil.group.name}</span>}
      </div>
      <div className={css.why}>
        {first && <Link to={evidencePath(pupil, first.evidence, days)}>{first.reason}</Link>}
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
      <Button
        variant="subtle"
        size="compact-md"
        className={css.dismiss}
        aria-label={`Dismiss for two weeks: ${pupil.name}`}
        onClick={onDismiss}
      >
        Dismiss
      </Button>
    </li>
  );
}
