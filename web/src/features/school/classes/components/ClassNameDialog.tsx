import { Checkbox } from '../../../../ui/Checkbox.tsx';
import { TextInput } from '../../../../ui/Field.tsx';
import { useState } from 'react';
import { classBody } from '#contract/calls/classes.ts';
import { useSchemaForm } from '../../../../shared/use-schema-form.ts';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { DialogForm } from '../../../../ui/DialogForm.tsx';

interface Props {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  /** The current name; empty for a new class. */
  name?: string;
  /** The verb on the button. */
  action: string;
  /** Shows a checkbox to become the teacher of the class. */
  offersSelf?: boolean;
  /** Closes the dialog when it is done. */
  onSave: (name: string, assignSelf: boolean) => Promise<unknown>;
}

/** Asks for the name of a class, new or to be changed. */
export function ClassNameDialog({ isOpen, onClose, title, ...form }: Props) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title}>
      <NameForm {...form} onClose={onClose} />
    </Dialog>
  );
}

function NameForm({ name = '', action, offersSelf, onSave, onClose }: Omit<Props, 'isOpen' | 'title'>) {
  const form = useSchemaForm({ schema: classBody, initialValues: { name } });
  const [assignSelf, setAssignSelf] = useState(false);
  const save = form.onSubmit(async (body) => {
    if (body.name !== name) await onSave(body.name, assignSelf);
    onClose();
  });
  return (
    <DialogForm form={form} onSubmit={save} onCancel={onClose} action={action}>
      <TextInput
        {...form.field('name')}
        label="Name of the class"
        description="For example Year 3 Badgers"
        autoComplete="off"
        data-autofocus
      />
      {offersSelf && (
        <Checkbox
          label="I am the teacher of this class"
          checked={assignSelf}
          onChange={(event) => setAssignSelf(event.currentTarget.checked)}
        />
      )}
    </DialogForm>
  );
}
