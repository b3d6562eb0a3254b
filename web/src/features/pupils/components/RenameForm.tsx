import { Button, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { renameBody, type Pupil } from '#contract/calls/pupils.ts';
import { ApiError } from '../../../shared/api-error.ts';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { useSchoolId } from '../../../shared/session.ts';
import { showToast } from '../../../ui/toasts.ts';
import { useRenamePupil } from '../pupils.api.ts';
import css from './RenameForm.module.css';

/** The form of a RenameDialog, checked by the contract's own rule for names. */
export default function RenameForm({ pupil, onDone }: { pupil: Pupil; onDone: () => void }) {
  // The name as it was when the dialog opened: the page's own changes while the new one is on its way.
  const [before] = useState(pupil.name);
  const [typed, setTyped] = useState(before);
  const rename = useRenamePupil(useSchoolId(), pupil.id);

  const checked = renameBody.safeParse({ name: typed });
  const refused = rename.error instanceof ApiError ? rename.error.errors.name?.join(' ') : undefined;
  const wrong = checked.success ? refused : checked.error.issues[0]?.message;

  const save = (event: FormEvent) => {
    event.preventDefault();
    if (!checked.success || rename.isPending) return;
    if (checked.data.name === before) return onDone();
    rename.mutate(checked.data, {
      onSuccess: () => {
        onDone();
        showToast('Details saved');
      },
    });
  };

  return (
    <form onSubmit={save} noValidate className={css.form}>
      {rename.error && !refused && <ErrorNotice error={rename.error} />}
      <TextInput
        label="Name"
        value={typed}
        onChange={(event) => {
          rename.reset();
          setTyped(event.currentTarget.value);
        }}
        error={wrong}
        errorProps={{ role: 'alert' }}
        autoComplete="off"
        autoCapitalize="words"
        spellCheck={false}
        data-autofocus
      />
      <p className={css.note}>The username {pupil.username} stays as it is.</p>
      <div className={css.buttons}>
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" disabled={!checked.success} loading={rename.isPending}>
          Save
        </Button>
      </div>
    </form>
  );
}
