import { Button } from '@mantine/core';
import type { Class } from '#contract/calls/school.ts';
import { fullName, listInWords } from '../../../../shared/format.ts';
import { useCanChange, whoCanChange } from '../../school/school.public.ts';
import css from './ClassTeacher.module.css';

/** The teachers of the class. Tells a user who cannot change the class who can. */
export function ClassTeacher({ schoolClass, onAssign }: { schoolClass: Class; onAssign: () => void }) {
  const { teachers, user_manages } = schoolClass;
  const canChange = useCanChange();
  const names = teachers.map(fullName);
  return (
    <section className={css.teacher} aria-label="Teacher">
      <p>
        {names.length > 1 ? 'Teachers: ' : 'Teacher: '}
        {names.length > 0 ? <strong>{listInWords(names)}</strong> : <span className={css.none}>none yet</span>}
      </p>
      {!user_manages && <p className={css.none}>Only {whoCanChange(schoolClass)} can change this class.</p>}
      {canChange && user_manages && names.length === 0 && <Button onClick={onAssign}>Assign Teacher</Button>}
    </section>
  );
}
