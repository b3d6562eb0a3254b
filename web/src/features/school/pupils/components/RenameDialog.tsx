import { lazy } from 'react';
import type { Pupil } from '#contract/calls/pupils.ts';
import { Dialog } from '../../../../ui/Dialog.tsx';

// Loaded with the dialog, because it needs the schemas.
const RenameForm = lazy(() => import('./EditPupilDialog.tsx'));

interface Props {
  pupil: Pupil;
  isOpen: boolean;
  onClose: () => void;
}

/** Changes a pupil's name and year group. The page behind shows the new one at once. */
export const RenameDialog = ({ pupil, isOpen, onClose }: Props) => (
  <Dialog isOpen={isOpen} onClose={onClose} title="Update pupil name">
    <RenameForm pupil={pupil} onDone={onClose} />
  </Dialog>
);
