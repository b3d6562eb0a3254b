import { NativeSelect, TextInput } from '../../../../ui/Field.tsx';
import { useState } from 'react';
import { z } from 'zod';
import { renameBody, type Pupil } from '#contract/calls/pupils.ts';
import { YEAR_GROUPS } from '#contract/year-group.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { useSchemaForm } from '../../../../shared/use-schema-form.ts';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { DialogForm } from '../../../../ui/DialogForm.tsx';
import { showToast } from '../../../../ui/toasts.ts';
import { useRenamePupil } from '../pupils.api.ts';
import { YearGroupOptions } from './YearGroupOptions.tsx';

/** An empty year group is not known. */
const schema = renameBody.extend({ year_group: z.enum(['', ...YEAR_GROUPS]) });

interface Props {
  pupil: Pupil;
  isOpen: boolean;
  onClose: () => void;
}

/** Changes a pupil's name and year group. The page behind shows the new name at once. */
export const EditPupilDialog = ({ pupil, isOpen, onClose }: Props) => (
  <Dialog isOpen={isOpen} onClose={onClose} title="Update pupil name">
    <EditPupilForm pupil={pupil} onDone={onClose} />
  </Dialog>
);

export function EditPupilForm({ pupil, onDone }: { pupil: Pupil; onDone: () => void }) {
  // The values when the dialog opened, because the page shows the new name while it is being saved.
  const [before] = useState(() => ({ name: pupil.name, year_group: pupil.year_group ?? ('' as const) }));
  const rename = useRenamePupil(useSchoolId(), pupil.id);
  const form = useSchemaForm({ schema, initialValues: before });
  // The specification disables Save while the name is invalid.
  const problem = renameBody.safeParse({ name: form.form.values.name }).error?.issues[0]?.message;
  const save = form.onSubmit(async ({ name, year_group: yearGroup }) => {
    const isOtherYear = yearGroup !== before.year_group;
    if (name !== before.name || isOtherYear) {
      await rename.mutateAsync({ name, ...(isOtherYear && { year_group: yearGroup || null }) });
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
      <NativeSelect {...form.field('year_group')} label="Year group" autoComplete="off">
        <YearGroupOptions />
      </NativeSelect>
      <p>The username {pupil.username} stays as it is.</p>
    </DialogForm>
  );
}
