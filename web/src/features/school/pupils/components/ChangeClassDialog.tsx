import { Button } from '../../../../ui/Button.tsx';
import { NativeSelect } from '../../../../ui/Field.tsx';
import { z } from 'zod';
import type { Class } from '#contract/calls/school.ts';
import { count } from '../../../../shared/format.ts';
import { useSchemaForm } from '../../../../shared/use-schema-form.ts';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { DialogButtons, DialogForm } from '../../../../ui/DialogForm.tsx';
import { DEFAULT_SUCCESS, showToast } from '../../../../ui/toasts.ts';

interface Props {
  pupils: readonly { name: string }[];
  /** The classes to choose from. */
  classes: readonly Class[];
  /** Shown if there are no classes. */
  withoutClasses: string;
  /** What becomes of the pupils' books. */
  consequence: string;
  /** Moves the pupils into the class. Returns how many moved and how to undo that. */
  move: (classId: number) => Promise<{ moved: number; undo: () => Promise<unknown> }>;
  isOpen: boolean;
  onClose: () => void;
  onDone: () => void;
}

/** Asks for the class that pupils move into. */
export function ChangeClassDialog(props: Props) {
  const { pupils, isOpen, onClose } = props;
  const [firstPupil, ...furtherPupils] = pupils;
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Change class of ${firstPupil && furtherPupils.length === 0 ? firstPupil.name : count(pupils.length, 'pupil')}`}
    >
      <MoveForm {...props} />
    </Dialog>
  );
}

const moveForm = z.object({ target: z.string().min(1, 'Choose a class.') });

function MoveForm({ classes, withoutClasses, consequence, move, onClose, onDone }: Props) {
  const form = useSchemaForm({ schema: moveForm, initialValues: { target: '' } });

  const save = form.onSubmit(async ({ target }) => {
    const classId = Number(target);
    const { moved, undo } = await move(classId);
    const name = classes.find(({ id }) => id === classId)?.name ?? 'the class';
    showToast(DEFAULT_SUCCESS, { detail: `${count(moved, 'pupil')} moved to ${name}`, undo });
    onDone();
    onClose();
  });

  if (classes.length === 0)
    return (
      <>
        <p>{withoutClasses}</p>
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
      <p>{consequence}</p>
    </DialogForm>
  );
}
