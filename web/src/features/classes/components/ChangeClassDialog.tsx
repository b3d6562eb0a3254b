import { Button, NativeSelect } from '@mantine/core';
import { z } from 'zod';
import type { Class } from '#contract/calls/school.ts';
import { count } from '../../../shared/format.ts';
import { useSchoolId } from '../../../shared/session.ts';
import { useSchemaForm } from '../../../shared/use-schema-form.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogButtons, DialogForm } from '../../../ui/DialogForm.tsx';
import { DEFAULT_SUCCESS, showToast } from '../../../ui/toasts.ts';
import { useSchool } from '../../school/school.public.ts';
import { useMovePupils } from '../class-pupils.api.ts';

interface Props {
  /** The class that the pupils are in. */
  schoolClass: Class;
  pupils: readonly { id: number; name: string }[];
  isOpen: boolean;
  onClose: () => void;
  onMoved: () => void;
}

/** Moves the chosen pupils into another class. */
export function ChangeClassDialog(props: Props) {
  const { pupils, isOpen, onClose } = props;
  const title =
    pupils.length === 1 && pupils[0]
      ? `Change class of ${pupils[0].name}`
      : `Change class of ${count(pupils.length, 'pupil')}`;
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title}>
      <MoveForm {...props} />
    </Dialog>
  );
}

const moveForm = z.object({ target: z.string().min(1, 'Choose a class.') });

function MoveForm({ schoolClass, pupils, onClose, onMoved }: Props) {
  const classes = useSchool()?.groups.filter(({ id, user_manages }) => id !== schoolClass.id && user_manages) ?? [];
  const { mutateAsync: move } = useMovePupils(useSchoolId());
  const form = useSchemaForm({ schema: moveForm, initialValues: { target: '' } });

  const save = form.onSubmit(async ({ target }) => {
    const ids = pupils.map(({ id }) => id);
    const to = Number(target);
    await move({ pupils: ids, from: schoolClass.id, to });
    const name = classes.find(({ id }) => id === to)?.name ?? 'the class';
    showToast(DEFAULT_SUCCESS, {
      detail: `${count(ids.length, 'pupil')} moved to ${name}`,
      undo: () => move({ pupils: ids, from: to, to: schoolClass.id }),
    });
    onMoved();
    onClose();
  });

  if (classes.length === 0)
    return (
      <>
        <p>
          There is no other class that you manage. Ask an administrator of your school to move pupils into another
          teacher's class.
        </p>
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
      <p>Books assigned through {schoolClass.name} are exchanged for those of the new class. What was read is kept.</p>
    </DialogForm>
  );
}
