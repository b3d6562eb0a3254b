import { Switch } from '../../../../ui/Checkbox.tsx';
import { useSchoolId } from '../../../../shared/session.ts';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { useCanChange } from '../../../school/school/school.public.ts';
import { useSetImportDigests } from '../data-and-privacy.api.ts';

/** Chooses whether dates of birth and UPNs from lists of pupils are kept to recognise pupils. */
export function ImportDigests({ isOn, canEdit }: { isOn: boolean; canEdit: boolean }) {
  const set = useSetImportDigests(useSchoolId());
  const canChange = useCanChange() && canEdit;
  return (
    <>
      <p>
        When you upload or paste a list with dates of birth or UPNs, we use them to recognise pupils you already have,
        and then drop them. If you keep them, your next list recognises the pupils you added, even after a change of
        name or class. We keep only a form that cannot be read back, until the pupil leaves.
      </p>
      {canChange ? (
        <Switch
          label="Keep dates of birth and UPNs from lists of pupils"
          description="Turning this off deletes those that we have kept."
          checked={set.isPending ? set.variables : isOn}
          disabled={set.isPending}
          onChange={({ currentTarget }) => set.mutate(currentTarget.checked)}
        />
      ) : (
        <p>{isOn ? 'Your school keeps them.' : 'Your school keeps none.'}</p>
      )}
      {set.error && <ErrorNotice error={set.error} lost="The setting has not changed." />}
    </>
  );
}
