import { Button, Checkbox } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState, type FormEvent } from 'react';
import type { Pupil } from '#contract/calls/pupils.ts';
import type { Class } from '#contract/calls/school.ts';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { count } from '../../../shared/format.ts';
import { useSchoolId } from '../../../shared/session.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DisabledReasonButton } from '../../../ui/DisabledReasonButton.tsx';
import { SearchBox } from '../../../ui/SearchBox.tsx';
import { showToast } from '../../../ui/toasts.ts';
import { pupilSearchQuery, useAddExisting } from '../class-pupils.api.ts';
import css from './AddExistingDialog.module.css';
import dialogs from './Dialogs.module.css';

interface Props {
  schoolClass: Class;
  isOpen: boolean;
  onClose: () => void;
}

/** Finds pupils of the school by name and puts them into the class. */
export function AddExistingDialog({ schoolClass, isOpen, onClose }: Props) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={`Add pupils to ${schoolClass.name}`} size="lg">
      <SearchForm schoolClass={schoolClass} onClose={onClose} />
    </Dialog>
  );
}

const SEARCH_DEBOUNCE_MS = 500;

function useResting(text: string): string {
  const [resting, setResting] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setResting(text), SEARCH_DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return resting;
}

function SearchForm({ schoolClass, onClose }: { schoolClass: Class; onClose: () => void }) {
  const schoolId = useSchoolId();
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<ReadonlyMap<number, string>>(new Map());
  const wanted = useResting(typed.trim());
  const isLongEnough = Array.from(wanted).length >= 2;
  const search = useQuery({
    ...pupilSearchQuery(schoolId, wanted),
    enabled: isLongEnough,
    placeholderData: keepPreviousData,
  });
  const add = useAddExisting(schoolId, schoolClass.id);
  const found = isLongEnough ? search.data?.readers : undefined;
  const total = search.data?.meta.total_filtered ?? 0;

  const toggle = ({ id, name }: Pupil, isOn: boolean) =>
    setChosen((before) => {
      const next = new Map(before);
      if (isOn) next.set(id, name);
      else next.delete(id);
      return next;
    });
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (chosen.size === 0 || add.isPending) return;
    add.mutate([...chosen.keys()], {
      onSuccess: () => {
        showToast('The pupils have been added to the class');
        onClose();
      },
    });
  };

  return (
    <form onSubmit={save} noValidate className={dialogs.form}>
      {add.error && <ErrorNotice error={add.error} />}
      <SearchBox label="Search for pupils of your school by name" value={typed} onChange={setTyped} isFirst />
      <div className={css.found} aria-live="polite">
        {typed.trim() !== '' && !isLongEnough && <p>Please enter at least 2 characters.</p>}
        {search.error && isLongEnough && <ErrorNotice error={search.error} onRetry={() => void search.refetch()} />}
        {found?.length === 0 && <p>No pupils found. Please check you have entered their name correctly.</p>}
        {found && found.length > 0 && (
          <ul aria-label="Pupils found" data-late={search.isPlaceholderData || undefined}>
            {found.map((pupil) => (
              <li key={pupil.id}>
                <Checkbox
                  label={pupil.name}
                  description={whereNow(pupil, schoolClass)}
                  checked={pupil.group?.id === schoolClass.id || chosen.has(pupil.id)}
                  disabled={pupil.group?.id === schoolClass.id || !pupil.can_update}
                  onChange={(event) => toggle(pupil, event.currentTarget.checked)}
                />
              </li>
            ))}
          </ul>
        )}
        {found && total > found.length && (
          <p>
            The first {found.length} of {count(total, 'pupil')}. Type more of the name to see the others.
          </p>
        )}
      </div>
      {chosen.size > 0 && <p className={dialogs.note}>To add: {[...chosen.values()].join(', ')}</p>}
      <div className={dialogs.buttons}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <DisabledReasonButton
          type="submit"
          loading={add.isPending}
          disabledReason={chosen.size === 0 ? 'Select pupils first.' : undefined}
          side="above"
        >
          {chosen.size > 0 ? `Add ${count(chosen.size, 'pupil')}` : 'Add pupils'}
        </DisabledReasonButton>
      </div>
    </form>
  );
}

function whereNow({ group: now, can_update, username }: Pupil, target: Class): string {
  if (now?.id === target.id) return `${username}, already in this class`;
  if (!now) return `${username}, no class`;
  return can_update
    ? `${username}, will be moved from ${now.name}`
    : `${username}, in ${now.name}, which you do not manage`;
}
