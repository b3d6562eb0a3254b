import { Button, NativeSelect } from '@mantine/core';
import { z } from 'zod';
import type { Pupil } from '#contract/calls/pupils.ts';
import { count } from '../../../shared/format.ts';
import { useSchoolId } from '../../../shared/session.ts';
import { useSchemaForm } from '../../../shared/use-schema-form.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogButtons, DialogForm } from '../../../ui/DialogForm.tsx';
import { DEFAULT_SUCCESS, showToast } from '../../../ui/toasts.ts';
import { useSchool } from '../../school/school.public.ts';
import { usePlacePupils, useUnplacePupils } from '../pupils.api.ts';

interface Props {
  pupils: readonly Pupil[];
  isOpen: boolean;
  onClose: () => void;
  onMoved: () => void;
}

/** Puts the chosen pupils into one class, whichever classes they come from. */
export const MovePupils = (props: Props) => (
  <Dialog
    isOpen={props.isOpen}
    onClose={props.onClose}
    title={
      props.pupils.length === 1 && props.pupils[0]
        ? `Change class of ${props.pupils[0].name}`
        : `Change class of ${count(props.pupils.length, 'pupil')}`
    }
  >
    <MoveForm {...props} />
  </Dialog>
);

const moveForm = z.object({ target: z.string().min(1, 'Choose a class.') });

function MoveForm({ pupils, onClose, onMoved }: Props) {
  const schoolId = useSchoolId();
  const classes = useSchool()?.groups.filter(({ user_manages }) => user_manages) ?? [];
  const place = usePlacePupils(schoolId);
  const unplace = useUnplacePupils(schoolId);
  const form = useSchemaForm({ schema: moveForm, initialValues: { target: '' } });

  const save = form.onSubmit(async ({ target }) => {
    const classId = Number(target);
    const moved = pupils.filter((pupil) => pupil.group?.id !== classId);
    await place.mutateAsync({ classId, pupils: moved.map(({ id }) => id) });
    showToast(DEFAULT_SUCCESS, {
      detail: `${count(moved.length, 'pupil')} moved to ${classes.find(({ id }) => id === classId)?.name ?? 'the class'}`,
      undo: async () => {
        for (const [from, members] of Map.groupBy(moved, (pupil) => pupil.group?.id)) {
          const ids = members.map(({ id }) => id);
          await (from === undefined ? unplace.mutateAsync(ids) : place.mutateAsync({ classId: from, pupils: ids }));
        }
      },
    });
    onMoved();
    onClose();
  });

  if (classes.length === 0)
    return (
      <>
        <p>There is no class that you manage. Ask an administrator of your school to move pupils.</p>
        <DialogButtons>
          <Button onClick={onClose}>Close</Button>
        </DialogButtons>
      </>
    );
  return (
    <DialogForm form={form} onSubmit={save} onCancel={onClose} action="Change class">
      <NativeSelect
        {...form.field('target')}
        label="New class"
        data-autofocus
        data={[
          { value: '', label: 'Choose a class', disabled: true },
          ...classes.map(({ id, name, readers_count: pupilCount }) => ({
            value: String(id),
            label: `${name} (${count(pupilCount, 'pupil')})`,
          })),
        ]}
      />
      <p>Books assigned through their old classes are exchanged for those of the new one. What was read is kept.</p>
    </DialogForm>
  );
}
