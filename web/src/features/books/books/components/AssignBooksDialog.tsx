import { lazy } from 'react';
import { count } from '../../../../shared/format.ts';
import { Dialog } from '../../../../ui/Dialog.tsx';

const AssignBooks = lazy(() => import('./AssignBooks.tsx'));

interface Props {
  pupils: readonly { id: number; name: string }[];
  isOpen: boolean;
  onClose: () => void;
}

/** Assigns books to several pupils at once. */
export const AssignBooksDialog = ({ pupils, isOpen, onClose }: Props) => (
  <Dialog
    isOpen={isOpen}
    onClose={onClose}
    title={`Books for ${pupils.length === 1 ? pupils[0]?.name : count(pupils.length, 'pupil')}`}
    size="lg"
  >
    <AssignBooks pupils={pupils} onClose={onClose} />
  </Dialog>
);
