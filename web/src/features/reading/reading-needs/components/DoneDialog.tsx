import { lazy } from 'react';
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
  /** Called after the change, before the dialog is removed. */
  onDone: () => void;
}

/** Asks what was done about a reason. */
export const DoneDialog = ({ done, onClose, onDone }: Props) => (
  <Dialog isOpen={done !== null} onClose={onClose} title={`What did you do for ${done?.pupil.name ?? ''}?`}>
    {done && <DoneForm {...done} onClose={onClose} onDone={onDone} />}
  </Dialog>
);
