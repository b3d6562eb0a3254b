import { Button } from '@mantine/core';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { useSchoolId } from '../../../shared/session.ts';
import { DisabledReasonButton } from '../../../ui/DisabledReasonButton.tsx';
import { useSetRecording } from '../school-details.api.ts';
import css from './RecordingsBox.module.css';

/** Whether pupils' reading is recorded. The choice shows at once, and comes back when it could not be saved. */
export function RecordingsBox({ isEnabled, canEdit }: { isEnabled: boolean; canEdit: boolean }) {
  const set = useSetRecording(useSchoolId());
  const text = isEnabled ? 'Disable recordings' : 'Enable recordings';
  return (
    <section className={css.box} aria-labelledby="recordings-title">
      <h2 id="recordings-title">
        Recordings <span data-on={isEnabled || undefined}>{isEnabled ? 'Enabled' : 'Disabled'}</span>
      </h2>
      <p>Recordings of pupils reading aloud are taken to improve how their speech is recognised.</p>
      {set.error && (
        <>
          <p className={css.back}>
            The change could not be saved. Recordings are still {isEnabled ? 'enabled' : 'disabled'}.
          </p>
          <ErrorNotice error={set.error} />
        </>
      )}
      {canEdit ? (
        <Button variant="default" disabled={set.isPending} onClick={() => set.mutate(!isEnabled)}>
          {text}
        </Button>
      ) : (
        <DisabledReasonButton variant="default" disabledReason="Only an administrator can change this.">
          {text}
        </DisabledReasonButton>
      )}
    </section>
  );
}
