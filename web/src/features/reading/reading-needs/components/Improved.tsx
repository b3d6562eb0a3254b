import { IconCircleCheck } from '@tabler/icons-react';
import type { ImprovedPupil, NeedResponse } from '#contract/calls/reading-needs.ts';
import { Link } from '../../../../ui/Link.tsx';
import { paths } from '../../../../paths.ts';
import { describeResponse } from '../model/response-words.ts';
import { useStaffName } from '../model/use-staff-name.ts';
import css from './Improved.module.css';

/** Pupils who improved after staff dealt with a reason. */
export function Improved({ pupils }: { pupils: readonly ImprovedPupil[] }) {
  if (pupils.length === 0) return null;
  return (
    <section className={css.improved} aria-labelledby="improved">
      <h3 id="improved">Improved</h3>
      <ul className="plain">
        {pupils.map(({ id, name, group: schoolClass, improved }) => (
          <li key={id}>
            <Link to={paths.pupil(id, schoolClass?.id)} className="strong">
              {name}
            </Link>
            {improved.map((response) => (
              <Improvement key={response.id} response={response} />
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A reason that no longer holds, and what was done about it. */
export function Improvement({ response }: { response: NeedResponse }) {
  const nameOf = useStaffName();
  return (
    <p className={css.improvement}>
      <IconCircleCheck size={20} aria-hidden /> No longer the case: {response.reason}.{' '}
      <span className="soft small">{describeResponse(response, nameOf)}.</span>
    </p>
  );
}
