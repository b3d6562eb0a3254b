import { lazy } from 'react';
import { Dialog } from '../../../../ui/Dialog.tsx';
import type { Suggestion } from '../model/suggest-books.ts';

const SuggestBooks = lazy(() => import('./SuggestBooks.tsx'));

interface Props {
  suggestion: Suggestion;
  isOpen: boolean;
  onClose: () => void;
}

/** Suggests books of a level for a pupil, to assign in one click. */
export const SuggestBooksDialog = ({ suggestion, isOpen, onClose }: Props) => (
  <Dialog
    isOpen={isOpen}
    onClose={onClose}
    title={`Level ${suggestion.level} books for ${suggestion.pupil.name}`}
    size="lg"
  >
    <SuggestBooks suggestion={suggestion} onDone={onClose} />
  </Dialog>
);
