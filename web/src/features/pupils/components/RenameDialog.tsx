import { lazy } from 'react';
import type { Pupil } from '#contract/calls/pupils.ts';
import { Dialog } from '../../../ui/Dialog.tsx';

// The rule for names comes with the schemas, which a page that is only looked at does without.
const RenameForm = lazy(() => import('./RenameForm.tsx'));

interface Props {
  pupil: Pupil;
  isOpen: boolean;
  onClose: () => void;
}

/** Changes a pupil's name. The page behind shows the new one at once. */
export const RenameDialog = ({ pupil, isOpen, onClose }: Props) => (
  <Dialog isOpen={isOpen} onClose={onClose} title="Update pupil name">
    <RenameForm pupil={pupil} onDone={onClose} />
  </Dialog>
);
