import { Button } from '@mantine/core';
import { useState } from 'react';
import { Confirm } from '../../../ui/Confirm.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { useSchoolId } from '../../../shared/session.ts';
import { useSetRecording } from '../school-details.api.ts';
import { Card } from '../../../ui/Card.tsx';
import css from './RecordingsBox.module.css';

/**
 * Whether pupils' reading is recorded. Recording children's voices is asked about first; to stop it is not. The
 * choice shows at once, and comes back when it could not be saved.
 */
export function RecordingsBox({ isEnabled, canEdit }: { isEnabled: boolean; canEdit: boolean }) {
  const set = useSetRecording(useSchoolId());
  const [isAsking, setAsking] = useState(false);
  return (
    <Card className={css.box} aria-labelledby="recordings-title">
      <h2 id="recordings-title">
        Recordings <span data-on={isEnabled || undefined}>{isEnabled ? 'Enabled' : 'Disabled'}</span>
      </h2>
      <p>Recordings of pupils reading aloud are taken to improve how their speech is recognised.</p>
      {set.error && (
        <ErrorNotice
          error={set.error}
          lost={`The change could not be saved. Recordings are still ${isEnabled ? 'enabled' : 'disabled'}.`}
        />
      )}
      {canEdit ? (
        <Button
          variant="default"
          disabled={set.isPending}
          onClick={() => (isEnabled ? set.mutate(false) : setAsking(true))}
        >
          {isEnabled ? 'Disable recordings' : 'Enable recordings'}
        </Button>
      ) : (
        <p className={css.who}>An admin of your school can change this.</p>
      )}
      <Confirm
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title="Record pupils reading aloud?"
        action="Enable recordings"
        onConfirm={() => set.mutate(true)}
      >
        <p>
          From now on the voices of all pupils of your school are recorded while they read. Recordings of children are
          personal data: tell parents before you begin, and have the consent that your school’s data protection policy
          asks for. You can stop recording at any time.
        </p>
      </Confirm>
    </Card>
  );
}
