import { Button } from '@mantine/core';
import type { Class } from '#contract/calls/school.ts';
import { fullName, listInWords } from '../../../shared/format.ts';
import css from './ClassTeacher.module.css';

/** Who the teachers of the class are; whoever may not change it is told who may. */
export function ClassTeacher({ schoolClass, onAssign }: { schoolClass: Class; onAssign: () => void }) {
  const { teachers, user_manages } = schoolClass;
  const names = teachers.map(fullName);
  return (
    <section className={css.teacher} aria-label="Teacher">
      <p>
        {names.length > 1 ? 'Teachers: ' : 'Teacher: '}
        {names.length > 0 ? <strong>{listInWords(names)}</strong> : <span className={css.none}>none yet</span>}
      </p>
      {!user_manages && (
        <p className={css.none}>
          Only {names.length > 0 ? `${names.join(', ')} or an admin` : 'an admin'} can change this class.
        </p>
      )}
      {user_manages && names.length === 0 && <Button onClick={onAssign}>Assign Teacher</Button>}
    </section>
  );
}
