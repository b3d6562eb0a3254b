import { Button } from '../../../../ui/Button.tsx';
import { useState } from 'react';
import type { NeedWithReason } from '#contract/calls/reading-needs.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { useRespond } from '../model/use-respond.ts';
import css from './WhoNeedsMe.module.css';

interface Props {
  pupil: { id: number; name: string };
  need: NeedWithReason;
  onDone: () => void;
  /** Called once the reason is snoozed. */
  onSnoozed: () => void;
}

/** Done and Snooze, for a reason of a pupil. */
export function NeedButtons({ pupil, need, onDone, onSnoozed }: Props) {
  const respond = useRespond(useSchoolId(), pupil);
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const snooze = async () => {
    setPending(true);
    setError(null);
    try {
      await respond(need.evidence.kind, 'snoozed');
      onSnoozed();
    } catch (failure) {
      setError(failure);
    } finally {
      setPending(false);
    }
  };
  return (
    <div className={`${css.buttons} no-print`}>
      <Button variant="subtle" size="compact-md" aria-label={`Done: ${pupil.name}, ${need.reason}`} onClick={onDone}>
        Done
      </Button>
      <Button
        variant="subtle"
        size="compact-md"
        aria-label={`Snooze for two weeks: ${pupil.name}, ${need.reason}`}
        loading={isPending}
        onClick={() => void snooze()}
      >
        Snooze
      </Button>
      {error !== null && <ErrorNotice error={error} />}
    </div>
  );
}
