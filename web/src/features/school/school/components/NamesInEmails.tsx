import { NAMES_IN_EMAILS, type NamesInEmails as Naming } from '#contract/calls/school.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { Card } from '../../../../ui/Card.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { NativeSelect } from '../../../../ui/Field.tsx';
import { showToast } from '../../../../ui/toasts.ts';
import { useSetNamesInEmails } from '../school-details.api.ts';
import { WhileOpen } from './WhileOpen.tsx';
import css from './SchoolSettings.module.css';

const CHOICES: Readonly<Record<Naming, string>> = {
  initial: 'First name and initial: Ada B.',
  none: 'No names: 3 pupils of Year 2',
  full: 'Full names: Ada Baker',
};

/** How the weekly email names pupils. */
export function NamesInEmails({ naming, canEdit }: { naming: Naming; canEdit: boolean }) {
  const set = useSetNamesInEmails(useSchoolId());
  return (
    <Card className={css.box} aria-labelledby="names-in-emails-title">
      <h2 id="names-in-emails-title">Names in emails</h2>
      {set.error && <ErrorNotice error={set.error} />}
      {canEdit ? (
        <NativeSelect
          label="The weekly email names pupils by"
          value={naming}
          disabled={set.isPending}
          onChange={(event) => {
            const chosen = NAMES_IN_EMAILS.find((each) => each === event.currentTarget.value);
            if (chosen) set.mutate(chosen, { onSuccess: () => showToast('Names in emails changed') });
          }}
          data={NAMES_IN_EMAILS.map((value) => ({ value, label: CHOICES[value] }))}
        />
      ) : (
        <>
          <p className="strong">{CHOICES[naming]}</p>
          <WhileOpen>
            <p className="soft measure">Only an administrator can change this.</p>
          </WhileOpen>
        </>
      )}
      <p className="soft measure">
        The email shows no figures about a child. Its links open the pupil’s page after a login.
      </p>
    </Card>
  );
}
