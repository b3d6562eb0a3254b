import { lazy } from 'react';
import { count } from '../../../../shared/format.ts';
import type { DayRange } from '../../../../ui/date-range.ts';
import { Dialog } from '../../../../ui/Dialog.tsx';
import type { WordSource } from './PrintWordsForm.tsx';

const PrintWordsForm = lazy(() => import('./PrintWordsForm.tsx'));

interface Props {
  source: WordSource;
  range: DayRange;
  /** The words that are ticked at first; the first twelve when absent. */
  words?: readonly string[];
  isOpen: boolean;
  onClose: () => void;
}

const nameOf = (source: WordSource): string => {
  if (source.kind === 'class') return source.name;
  const [first] = source.pupils;
  return source.pupils.length === 1 && first ? first.name : count(source.pupils.length, 'pupil');
};

/** Prints words for a class or for pupils to practise. */
export const PrintWordsDialog = ({ source, range, words, isOpen, onClose }: Props) => (
  <Dialog isOpen={isOpen} onClose={onClose} title={`Words to practise: ${nameOf(source)}`} size="lg">
    <PrintWordsForm source={source} range={range} {...(words && { words })} />
  </Dialog>
);
