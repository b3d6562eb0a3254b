import type { Pupil } from '#contract/calls/pupils.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { useSchool } from '../../school/school.public.ts';
import { useMovePupils, usePlacePupils, useReturnToClasses } from '../pupils.api.ts';
import { ChangeClassDialog } from './ChangeClassDialog.tsx';

interface Props {
  pupils: readonly Pupil[];
  isOpen: boolean;
  onClose: () => void;
  onMoved: () => void;
}

/** Puts the selected pupils into one class, whichever classes they come from. */
export function MovePupils({ pupils, ...dialog }: Props) {
  const schoolId = useSchoolId();
  const { mutateAsync: place } = usePlacePupils(schoolId);
  const { mutateAsync: movePupils } = useMovePupils(schoolId);
  const returnToClasses = useReturnToClasses(schoolId);
  const here = new Set(pupils.map((pupil) => pupil.group?.id));
  const classes =
    useSchool()?.groups.filter(({ id, user_manages }) => user_manages && !(here.size === 1 && here.has(id))) ?? [];

  const move = async (classId: number) => {
    const moved = pupils.filter((pupil) => pupil.group?.id !== classId);
    const ids = moved.map(({ id }) => id);
    const [from, ...furtherClasses] = new Set(moved.map((pupil) => pupil.group?.id));
    // From a single class the move fails if a colleague has moved one of the pupils meanwhile.
    if (from !== undefined && furtherClasses.length === 0) {
      await movePupils({ pupils: ids, from, to: classId });
      return { moved: ids.length, undo: () => movePupils({ pupils: ids, from: classId, to: from }) };
    }
    await place({ classId, pupils: ids });
    return { moved: ids.length, undo: () => returnToClasses(moved) };
  };

  return (
    <ChangeClassDialog
      {...dialog}
      pupils={pupils}
      classes={classes}
      withoutClasses="There is no class that you manage. Ask an administrator of your school to move pupils."
      consequence="Books assigned through their old classes are exchanged for those of the new one. What was read is kept."
      move={move}
    />
  );
}
