import { Button } from '../../../../ui/Button.tsx';
import { useState } from 'react';
import { Confirm } from '../../../../ui/Confirm.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { useSchoolId } from '../../../../shared/session.ts';
import { useSetRecording } from '../school-details.api.ts';
import { Card } from '../../../../ui/Card.tsx';
import { WhileOpen } from './WhileOpen.tsx';
import css from './RecordingsBox.module.css';

interface Props {
  isEnabled: boolean;
  isAdmin: boolean;
  /** False while the school's state only allows recordings to be disabled. */
  canEnable: boolean;
}

/**
 * Whether pupils' reading is recorded. Enabling it asks for confirmation; disabling it does not. The change shows at
 * once, and is reverted if it cannot be saved.
 */
export function RecordingsBox({ isEnabled, isAdmin, canEnable }: Props) {
  const set = useSetRecording(useSchoolId());
  const [isAsking, setAsking] = useState(false);
  return (
    <Card className={css.box} aria-labelledby="recordings-title">
      <h2 id="recordings-title">
        Recordings <span data-on={isEnabled || undefined}>{isEnabled ? 'Enabled' : 'Disabled'}</span>
      </h2>
      <p>We use recordings of pupils reading aloud to improve speech recognition.</p>
      {set.error && (
        <ErrorNotice
          error={set.error}
          lost={`We could not save the change. Recordings are still ${isEnabled ? 'enabled' : 'disabled'}.`}
        />
      )}
      {!isAdmin && (
        <WhileOpen>
          <p className="soft flat">An admin of your school can change this.</p>
        </WhileOpen>
      )}
      {isAdmin && !isEnabled && !canEnable && (
        <p className="soft flat">You can enable recordings again when the account is open.</p>
      )}
      {isAdmin && (isEnabled || canEnable) && (
        <Button
          variant="default"
          disabled={set.isPending}
          onClick={() => (isEnabled ? set.mutate(false) : setAsking(true))}
        >
          {isEnabled ? 'Disable recordings' : 'Enable recordings'}
        </Button>
      )}
      <Confirm
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title="Record pupils reading aloud?"
        action="Enable recordings"
        onConfirm={() => set.mutate(true)}
      >
        <p>
          We will record the voices of all pupils in your school while they read. Recordings of children are personal
          data. Tell parents before you start, and get the consent that your school’s data protection policy requires.
          You can stop recording at any time.
        </p>
      </Confirm>
    </Card>
  );
}
