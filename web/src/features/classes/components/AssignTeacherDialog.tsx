import { Button, NativeSelect } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import type { Class } from '#contract/calls/school.ts';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { useSchoolId, useUser } from '../../../shared/session.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { showToast } from '../../../ui/toasts.ts';
import { useSchool } from '../../school/school.public.ts';
import { useUpdateTeacher } from '../classes.api.ts';
import css from './Dialogs.module.css';

interface Props {
  schoolClass: Class;
  isOpen: boolean;
  onClose: () => void;
  /** The person gives the class away by this. */
  losesRight: boolean;
}

/** Puts a member of staff in charge of the class. */
export function AssignTeacherDialog({ schoolClass, isOpen, onClose, losesRight }: Props) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={`Teacher of ${schoolClass.name}`}>
      <AssignForm schoolClass={schoolClass} onClose={onClose} losesRight={losesRight} />
    </Dialog>
  );
}

function AssignForm({ schoolClass, onClose, losesRight }: Omit<Props, 'isOpen'>) {
  const me = useUser().id;
  const staff = useSchool()?.users ?? [];
  const change = useUpdateTeacher(useSchoolId(), schoolClass.id);
  const [chosen, setChosen] = useState(schoolClass.manager ? String(schoolClass.manager.id) : '');
  const [wasTried, setTried] = useState(false);

  const save = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (!chosen || change.isPending) return;
    if (Number(chosen) === schoolClass.manager_id) return onClose();
    change.mutate(Number(chosen), {
      onSuccess: () => {
        showToast('The teacher has been assigned to the class');
        onClose();
      },
    });
  };

  return (
    <form onSubmit={save} noValidate className={css.form}>
      {change.error && <ErrorNotice error={change.error} />}
      <NativeSelect
        label="Teacher"
        value={chosen}
        onChange={(event) => setChosen(event.currentTarget.value)}
        error={wasTried && !chosen ? 'Choose a teacher.' : undefined}
        data-autofocus
        data={[
          { value: '', label: 'Choose a teacher', disabled: true },
          ...staff.map(({ id, first_name, last_name }) => ({
            value: String(id),
            label: `${first_name} ${last_name}${id === me ? ' (you)' : ''}`,
          })),
        ]}
      />
      {losesRight && chosen !== String(me) && (
        <p className={css.note}>You will no longer be able to change this class or its pupils.</p>
      )}
      <div className={css.buttons}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={change.isPending}>
          Assign teacher
        </Button>
      </div>
    </form>
  );
}
