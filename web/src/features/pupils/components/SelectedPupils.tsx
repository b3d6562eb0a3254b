import { useState } from 'react';
import type { Pupil } from '#contract/calls/pupils.ts';
import { count } from '../../../shared/format.ts';
import { saveText } from '../../../shared/download.ts';
import { groupBy } from '../../../shared/group-by.ts';
import { useSchoolId } from '../../../shared/session.ts';
import { ActionMenu, MenuButton } from '../../../ui/ActionMenu.tsx';
import { Confirm } from '../../../ui/Confirm.tsx';
import { DisabledReasonButton } from '../../../ui/DisabledReasonButton.tsx';
import { DEFAULT_SUCCESS, showToast } from '../../../ui/toasts.ts';
import { lazyDialog } from '../../../ui/lazy-dialog.tsx';
import { MakeLoginCards } from '../../login-cards/login-cards.public.ts';
import { pupilsCsv } from '../model/pupils-csv.ts';
import { usePlacePupils, useUnplacePupils } from '../pupils.api.ts';
import { DeletePupils } from './DeletePupils.tsx';

const MovePupils = lazyDialog(async () => (await import('./MovePupils.tsx')).MovePupils);

interface Props {
  pupils: readonly Pupil[];
  /** The person may delete pupils. */
  isAdmin: boolean;
  /** The pupils were changed: nobody is chosen any more. */
  onDone: () => void;
}

/** What can be done with the chosen pupils of the list, whichever classes they are in. */
export function SelectedPupils({ pupils, isAdmin, onDone }: Props) {
  const schoolId = useSchoolId();
  const [open, setOpen] = useState<'cards' | 'move' | 'remove' | 'delete' | null>(null);
  const [areMade, setMade] = useState(false);
  const unplace = useUnplacePupils(schoolId);
  const place = usePlacePupils(schoolId);
  const close = () => setOpen(null);
  const foreign = pupils.filter(({ can_update }) => !can_update).length;
  const notManaged =
    foreign > 0 ? `${count(foreign, 'pupil is', 'pupils are')} in a class that you do not manage.` : undefined;
  const inClass = pupils.filter((pupil) => pupil.group);

  const remove = async () => {
    await unplace.mutateAsync(inClass.map(({ id }) => id));
    showToast(DEFAULT_SUCCESS, {
      detail: `${count(inClass.length, 'pupil')} removed from ${inClass.length === 1 ? 'the class' : 'their classes'}`,
      undo: async () => {
        for (const [classId, members] of groupBy(inClass, (pupil) => pupil.group!.id))
          await place.mutateAsync({ classId, pupils: members.map(({ id }) => id) });
      },
    });
    onDone();
  };

  return (
    <>
      <DisabledReasonButton variant="default" side="above" disabledReason={notManaged} onClick={() => setOpen('cards')}>
        New login cards
      </DisabledReasonButton>
      <DisabledReasonButton variant="default" side="above" disabledReason={notManaged} onClick={() => setOpen('move')}>
        Change Class
      </DisabledReasonButton>
      <ActionMenu label="More actions for the chosen pupils" text="More">
        <MenuButton
          disabledReason={notManaged ?? (inClass.length === 0 ? 'None of them is in a class.' : undefined)}
          onClick={() => setOpen('remove')}
        >
          Remove from class
        </MenuButton>
        <MenuButton onClick={() => saveText('pupils.csv', 'text/csv', pupilsCsv(pupils))}>CSV</MenuButton>
        {isAdmin && <MenuButton onClick={() => setOpen('delete')}>Delete</MenuButton>}
      </ActionMenu>
      <MakeLoginCards
        pupils={pupils}
        isOpen={open === 'cards'}
        onMade={() => setMade(true)}
        onClose={() => {
          close();
          if (areMade) onDone();
        }}
      />
      <MovePupils pupils={pupils} isOpen={open === 'move'} onClose={close} onMoved={onDone} />
      <Confirm
        isOpen={open === 'remove'}
        onClose={close}
        title={`Remove ${count(inClass.length, 'pupil')} from ${inClass.length === 1 ? 'the class' : 'their classes'}?`}
        action="Remove from class"
        lost="The pupils have not been removed from the class."
        onConfirm={remove}
      >
        <p>They stay in the school, without a class. Books assigned through the class are no longer assigned.</p>
      </Confirm>
      <DeletePupils pupils={open === 'delete' ? pupils : []} onClose={close} onDeleted={onDone} />
    </>
  );
}
