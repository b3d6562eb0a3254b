import { Button, NativeSelect } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import type { Class } from '#contract/calls/school.ts';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { count } from '../../../shared/format.ts';
import { useSchoolId } from '../../../shared/session.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DEFAULT_SUCCESS, showToast } from '../../../ui/toasts.ts';
import { useSchool } from '../../school/school.public.ts';
import { useMovePupils } from '../class-pupils.api.ts';
import css from './Dialogs.module.css';

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

function MoveForm({ schoolClass, pupils, onClose, onMoved }: Props) {
  const classes = useSchool()?.groups.filter(({ id, user_manages }) => id !== schoolClass.id && user_manages) ?? [];
  const move = useMovePupils(useSchoolId());
  const [chosen, setChosen] = useState('');
  const [wasTried, setTried] = useState(false);

  const save = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    const target = classes.find(({ id }) => String(id) === chosen);
    if (!target || move.isPending) return;
    const ids = pupils.map(({ id }) => id);
    move.mutate(
      { pupils: ids, from: schoolClass.id, to: target.id },
      {
        onSuccess: () => {
          showToast(DEFAULT_SUCCESS, {
            detail: `${count(ids.length, 'pupil')} moved to ${target.name}`,
            undo: () =>
              move.mutate(
                { pupils: ids, from: target.id, to: schoolClass.id },
                { onError: () => showToast(`They are still in ${target.name}: they could not be moved back`) },
              ),
          });
          onMoved();
          onClose();
        },
      },
    );
  };

  if (classes.length === 0)
    return (
      <div className={css.form}>
        <p>
          There is no other class that you manage. Ask an administrator of your school to move pupils into another
          teacher's class.
        </p>
        <div className={css.buttons}>
          <Button onClick={onClose}>Close</Button>
        </div>
      </div>
    );
  return (
    <form onSubmit={save} noValidate className={css.form}>
      {move.error && <ErrorNotice error={move.error} />}
      <NativeSelect
        label="New class"
        value={chosen}
        onChange={(event) => setChosen(event.currentTarget.value)}
        error={wasTried && !chosen ? 'Choose a class.' : undefined}
        data-autofocus
        data={[
          { value: '', label: 'Choose a class', disabled: true },
          ...classes.map(({ id, name, readers_count: pupilCount }) => ({
            value: String(id),
            label: `${name} (${count(pupilCount, 'pupil')})`,
          })),
        ]}
      />
      <p className={css.note}>
        Books assigned through {schoolClass.name} are exchanged for those of the new class. What was read is kept.
      </p>
      <div className={css.buttons}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={move.isPending}>
          Change class
        </Button>
      </div>
    </form>
  );
}
