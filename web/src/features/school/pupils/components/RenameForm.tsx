import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { renameBody, type Pupil } from '#contract/calls/pupils.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { useSchemaForm } from '../../../../shared/use-schema-form.ts';
import { DialogForm } from '../../../../ui/DialogForm.tsx';
import { showToast } from '../../../../ui/toasts.ts';
import { useRenamePupil } from '../pupils.api.ts';

/** The form of a RenameDialog, validated by the contract's schema. */
export default function RenameForm({ pupil, onDone }: { pupil: Pupil; onDone: () => void }) {
  // The name when the dialog opened, because the page shows the new one while it is being saved.
  const [before] = useState(pupil.name);
  const rename = useRenamePupil(useSchoolId(), pupil.id);
  const form = useSchemaForm({ schema: renameBody, initialValues: { name: before } });
  // The specification disables Save while the name is invalid.
  const problem = renameBody.safeParse(form.form.values).error?.issues[0]?.message;
  const save = form.onSubmit(async (body) => {
    if (body.name !== before) {
      await rename.mutateAsync(body);
      showToast('Details saved');
    }
    onDone();
  });

  return (
    <DialogForm form={form} onSubmit={save} onCancel={onDone} action="Save" disabledReason={problem}>
      <TextInput
        {...form.field('name')}
        error={problem}
        label="Name"
        autoComplete="off"
        autoCapitalize="words"
        spellCheck={false}
        data-autofocus
      />
      <p>The username {pupil.username} stays as it is.</p>
    </DialogForm>
  );
}
