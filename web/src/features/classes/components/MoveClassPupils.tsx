import type { Class } from '#contract/calls/school.ts';
import { useSchoolId } from '../../../shared/session.ts';
import { useSchool } from '../../school/school.public.ts';
import { useMovePupils } from '../class-pupils.api.ts';
import { ChangeClassDialog } from './ChangeClassDialog.tsx';

interface Props {
  /** The class that the pupils are in. */
  schoolClass: Class;
  pupils: readonly { id: number; name: string }[];
  isOpen: boolean;
  onClose: () => void;
  onMoved: () => void;
}

/** Moves the chosen pupils of a class into another one. */
export function MoveClassPupils({ schoolClass, pupils, ...dialog }: Props) {
  const { mutateAsync: movePupils } = useMovePupils(useSchoolId());
  const classes = useSchool()?.groups.filter(({ id, user_manages }) => id !== schoolClass.id && user_manages) ?? [];

  const move = async (to: number) => {
    const ids = pupils.map(({ id }) => id);
    await movePupils({ pupils: ids, from: schoolClass.id, to });
    return { moved: ids.length, undo: () => movePupils({ pupils: ids, from: to, to: schoolClass.id }) };
  };

  return (
    <ChangeClassDialog
      {...dialog}
      pupils={pupils}
      classes={classes}
      withoutClasses="There is no other class that you manage. Ask an administrator of your school to move pupils into another teacher's class."
      consequence={`Books assigned through ${schoolClass.name} are exchanged for those of the new class. What was read is kept.`}
      move={move}
    />
  );
}
