import { Button } from '@mantine/core';
import type { DismissedPupil } from '#contract/calls/reading-needs.ts';
import { Link } from 'react-router';
import { paths } from '../../../paths.ts';
import { count, formatDate } from '../../../shared/format.ts';
import { useSchoolId } from '../../../shared/session.ts';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { useSchool } from '../../school/school.public.ts';
import { usePutBack } from '../reading-needs.api.ts';
import css from './WhoNeedsMe.module.css';

/** Whom members of staff took off the list: why, who, until when. */
export function DismissedPupils({ pupils }: { pupils: readonly DismissedPupil[] }) {
  const staff = useSchool()?.users ?? [];
  const putBack = usePutBack(useSchoolId());
  if (pupils.length === 0) return null;
  const nameOf = (userId: number) => {
    const person = staff.find(({ id }) => id === userId);
    return person ? `${person.first_name} ${person.last_name}` : 'somebody who has left';
  };
  return (
    <details className={css.dismissed}>
      <summary>{count(pupils.length, 'pupil')} dismissed</summary>
      {putBack.error && <ErrorNotice error={putBack.error} />}
      <ul className={css.list} aria-label="Dismissed pupils">
        {pupils.map(({ id, name, group: schoolClass, reason, dismissed_by, until }) => (
          <li key={id} className={css.row}>
            <div className={css.who}>
              <Link to={paths.pupil(id, schoolClass?.id)} className={css.name}>
                {name}
              </Link>
            </div>
            <div className={css.why}>
              {reason}
              <span className={css.class}>
                {nameOf(dismissed_by)}, until {formatDate(until)}
              </span>
            </div>
            <Button
              variant="subtle"
              size="compact-md"
              className={css.dismiss}
              aria-label={`Put back: ${name}`}
              loading={putBack.isPending && putBack.variables === id}
              onClick={() => putBack.mutate(id)}
            >
              Put back
            </Button>
          </li>
        ))}
      </ul>
    </details>
  );
}
