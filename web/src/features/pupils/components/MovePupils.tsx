import type { Pupil } from '#contract/calls/pupils.ts';
import { groupBy } from '../../../shared/group-by.ts';
import { useSchoolId } from '../../../shared/session.ts';
import { ChangeClassDialog } from '../../classes/change-class.public.ts';
import { useSchool } from '../../school/school.public.ts';
import { usePlacePupils, useUnplacePupils } from '../pupils.api.ts';

interface Props {
  pupils: readonly Pupil[];
  isOpen: boolean;
  onClose: () => void;
  onMoved: () => void;
}

/** Puts the chosen pupils into one class, whichever classes they come from. */
export function MovePupils({ pupils, ...dialog }: Props) {
  const schoolId = useSchoolId();
  const { mutateAsync: place } = usePlacePupils(schoolId);
  const { mutateAsync: unplace } = useUnplacePupils(schoolId);
  const classes = useSchool()?.groups.filter(({ user_manages }) => user_manages) ?? [];

  const move = async (classId: number) => {
    const moved = pupils.filter((pupil) => pupil.group?.id !== classId);
    await place({ classId, pupils: moved.map(({ id }) => id) });
    const undo = async () => {
      for (const [from, members] of groupBy(moved, (pupil) => pupil.group?.id)) {
        const ids = members.map(({ id }) => id);
        await (from === undefined ? unplace(ids) : place({ classId: from, pupils: ids }));
      }
    };
    return { moved: moved.length, undo };
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
