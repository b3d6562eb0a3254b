import { Checkbox } from '../../../../ui/Checkbox.tsx';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { z } from 'zod';
import type { Pupil } from '#contract/calls/pupils.ts';
import type { Class } from '#contract/calls/school.ts';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { count } from '../../../../shared/format.ts';
import { canEditPupil } from '../../../../shared/can.ts';
import { useSchoolId, useUser } from '../../../../shared/session.ts';
import { useDebouncedValue } from '../../../../shared/use-debounced-value.ts';
import { useSchemaForm } from '../../../../shared/use-schema-form.ts';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { DialogForm } from '../../../../ui/DialogForm.tsx';
import { SearchBox } from '../../../../ui/SearchBox.tsx';
import { callForPresent } from '../../../../ui/present-pupils.ts';
import { showToast } from '../../../../ui/toasts.ts';
import { pupilSearchQuery, unassignedPupilsQuery, useAddExisting } from '../class-pupils.api.ts';
import { useAnnouncement } from '../../../../ui/use-announcement.ts';
import css from './AddExistingDialog.module.css';

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

const chosenForm = z.object({ chosen: z.array(z.object({ id: z.number(), name: z.string() })) });

type Chosen = Pick<Pupil, 'id' | 'name'>;

function SearchForm({ schoolClass, onClose }: { schoolClass: Class; onClose: () => void }) {
  const schoolId = useSchoolId();
  const user = useUser();
  const [typed, setTyped] = useState('');
  const wanted = useDebouncedValue(typed.trim(), SEARCH_DEBOUNCE_MS);
  const isLongEnough = Array.from(wanted).length >= 2;
  const searched = useQuery({
    ...pupilSearchQuery(schoolId, wanted),
    enabled: isLongEnough,
    placeholderData: keepPreviousData,
  });
  // Before a search, the pupils without a class.
  const unassigned = useQuery({ ...unassignedPupilsQuery(schoolId), enabled: wanted === '' });
  const search = wanted === '' ? unassigned : searched;
  const add = useAddExisting(schoolId, schoolClass.id);
  const found = wanted === '' || isLongEnough ? search.data?.readers : undefined;
  const total = search.data?.meta.total_filtered ?? 0;

  const isTooShort = typed.trim() !== '' && !isLongEnough;
  useAnnouncement(isTooShort && 'Please enter at least 2 characters');
  useAnnouncement(
    found && !search.isPlaceholderData && (total === 0 ? 'No pupils found' : count(total, 'pupil')),
    wanted,
  );

  const form = useSchemaForm({ schema: chosenForm, initialValues: { chosen: [] as Chosen[] } });
  const { chosen } = form.form.values;
  const toggle = (pupil: Chosen, isOn: boolean) =>
    form.form.setFieldValue('chosen', [...chosen.filter(({ id }) => id !== pupil.id), ...(isOn ? [pupil] : [])]);
  const save = form.onSubmit(async () => {
    const { present } = await callForPresent(chosen, (rest) => add.mutateAsync(rest.map(({ id }) => id)));
    showToast('The pupils have been added to the class', { detail: present.map(({ name }) => name).join(', ') });
    onClose();
  });

  return (
    <DialogForm
      form={form}
      onSubmit={save}
      onCancel={onClose}
      action={chosen.length > 0 ? `Add ${count(chosen.length, 'pupil')}` : 'Add pupils'}
      disabledReason={chosen.length === 0 ? 'Select pupils first.' : undefined}
    >
      <SearchBox label="Search for pupils of your school by name" value={typed} onChange={setTyped} isFirst />
      <div className={css.found}>
        {isTooShort && <p>Please enter at least 2 characters.</p>}
        {search.error && !search.data && <ErrorNotice error={search.error} onRetry={() => void search.refetch()} />}
        {found?.length === 0 && (
          <p>
            {wanted === ''
              ? 'Every pupil of your school is in a class. Search to move one here.'
              : 'No pupils found. Please check you have entered their name correctly.'}
          </p>
        )}
        {wanted === '' && found && found.length > 0 && <p>Without a class:</p>}
        {found && found.length > 0 && (
          <ul className="plain" aria-label="Pupils found" data-stale={search.isPlaceholderData || undefined}>
            {found.map((pupil) => (
              <li key={pupil.id}>
                <Checkbox
                  label={pupil.name}
                  description={whereNow(pupil, schoolClass, canEditPupil(user, pupil))}
                  checked={pupil.group?.id === schoolClass.id || chosen.some(({ id }) => id === pupil.id)}
                  disabled={pupil.group?.id === schoolClass.id || !canEditPupil(user, pupil)}
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
      {chosen.length > 0 && <p>To add: {chosen.map(({ name }) => name).join(', ')}</p>}
    </DialogForm>
  );
}

function whereNow({ group: now, username }: Pupil, target: Class, canMove: boolean): string {
  if (now?.id === target.id) return `${username}, already in this class`;
  if (!now) return `${username}, no class`;
  return canMove
    ? `${username}, will be moved from ${now.name}`
    : `${username}, in ${now.name}, which you do not manage`;
}
