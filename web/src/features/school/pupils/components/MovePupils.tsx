import type { Pupil } from '#contract/calls/pupils.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { callForPresent } from '../../../../ui/present-pupils.ts';
import { useSchool } from '../../school/school.public.ts';
import { useMovePupils, usePlacePupils, useReturnToClasses } from '../pupils.api.ts';
import { ChangeClassDialog } from './ChangeClassDialog.tsx';

interface Props {
  pupils: readonly Pupil[];
  isOpen: boolean;
  onClose: () => void;
  onDone: () => void;
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
    const movers = pupils.filter((pupil) => pupil.group?.id !== classId);
    const [from, ...furtherClasses] = new Set(movers.map((pupil) => pupil.group?.id));
    // From a single class the move fails if a colleague has moved one of the pupils meanwhile.
    const source = furtherClasses.length === 0 ? from : undefined;
    const { present } = await callForPresent(movers, async (found) => {
      const ids = found.map(({ id }) => id);
      if (source === undefined) await place({ classId, pupils: ids });
      else await movePupils({ pupils: ids, from: source, to: classId });
    });
    const undo = () =>
      source === undefined
        ? returnToClasses(present)
        : movePupils({ pupils: present.map(({ id }) => id), from: classId, to: source });
    return { moved: present.length, undo };
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
