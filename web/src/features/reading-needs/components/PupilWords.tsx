import type { PupilWord } from '#contract/calls/pupil-progress.ts';
import { count } from '../../../shared/format.ts';
import { Panel } from '../../../ui/Panel.tsx';
import { HardWordList } from './HardWordList.tsx';

/** Words that one pupil asked for or did not read in some days, with the books they are in. */
export const PupilWords = ({ words }: { words: readonly PupilWord[] }) => (
  <Panel
    id="pupil-words"
    title="Words to practise"
    help="Words that the pupil asked for or did not turn green in these dates, those first that were hard in most readings. Small words of nearly every page are left out."
  >
    {words.length === 0 ? (
      <p>No word was hard in these dates.</p>
    ) : (
      <HardWordList words={words} extentOf={({ readings }) => count(readings, 'reading')} />
    )}
  </Panel>
);
