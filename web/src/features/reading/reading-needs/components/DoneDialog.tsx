import { lazy, useEffect, useRef } from 'react';
import type { NeedWithReason } from '#contract/calls/reading-needs.ts';
import { Dialog } from '../../../../ui/Dialog.tsx';

const DoneForm = lazy(() => import('./DoneForm.tsx'));

/** A reason of a pupil that the user has dealt with. */
export interface DoneNeed {
  pupil: { id: number; name: string };
  need: NeedWithReason;
}

interface Props {
  done: DoneNeed | null;
  onClose: () => void;
  /** Called after the change, once the dialog is removed: until then nothing outside it can take the focus. */
  onDone: () => void;
}

/** Asks what was done about a reason. */
export function DoneDialog({ done, onClose, onDone }: Props) {
  const hasChanged = useRef(false);
  const isOpen = done !== null;
  useEffect(() => {
    if (isOpen || !hasChanged.current) return;
    hasChanged.current = false;
    onDone();
  }, [isOpen, onDone]);
  const finish = () => {
    hasChanged.current = true;
    onClose();
  };
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={`What did you do for ${done?.pupil.name ?? ''}?`}>
      {done && <DoneForm {...done} onClose={onClose} onDone={finish} />}
    </Dialog>
  );
}
