import type { Pupil } from '#contract/calls/pupils.ts';
import { coverOf } from '../../../../shared/can.ts';
import { useSchoolId, useUser } from '../../../../shared/session.ts';
import { callForPresent } from '../../../../ui/present-pupils.ts';
import { useSchool } from '../../school/school.public.ts';
import { idsByClass, useMovePupils, usePlacePupils, useReturnToClasses } from '../pupils.api.ts';
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
  const user = useUser();
  const { mutateAsync: place } = usePlacePupils(schoolId);
  const { mutateAsync: movePupils } = useMovePupils(schoolId);
  const returnToClasses = useReturnToClasses(schoolId);
  const here = new Set(pupils.map((pupil) => pupil.group?.id));
  const classes =
    useSchool()?.groups.filter(
      ({ id, user_manages }) => (user_manages || coverOf(user, id)) && !(here.size === 1 && here.has(id)),
    ) ?? [];

  const move = async (classId: number) => {
    const movers = pupils.filter((pupil) => pupil.group?.id !== classId);
    const isManaged =
      classes.some(({ id, user_manages }) => id === classId && user_manages) &&
      movers.every(({ can_update }) => can_update);
    const { present } = await callForPresent(movers, async (found) => {
      const sources = idsByClass(found);
      // From a single class the move fails if a colleague has moved one of the pupils meanwhile.
      if (isManaged && (sources.length > 1 || sources[0]?.[0] === null))
        await place({ classId, pupils: found.map(({ id }) => id) });
      else for (const [from, pupilIds] of sources) await movePupils({ pupils: pupilIds, from, to: classId });
    });
    return { moved: present.length, undo: () => returnToClasses(present, classId) };
  };

  return (
    <ChangeClassDialog
      {...dialog}
      pupils={pupils}
      classes={classes}
      withoutClasses="There is no other class that you manage or cover. Ask an administrator of your school to move pupils."
      consequence="Books assigned through their old classes are exchanged for those of the new one. What was read is kept."
      move={move}
    />
  );
}
