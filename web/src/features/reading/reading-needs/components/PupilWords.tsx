import type { PupilWord } from '#contract/calls/pupil-progress.ts';
import type { DayRange } from '../../../../ui/date-range.ts';
import { Panel } from '../../../../ui/Panel.tsx';
import { describePupilWord } from '../model/practice-words.ts';
import { HardWordList } from './HardWordList.tsx';
import { PrintWordsButton } from './PrintWordsButton.tsx';

interface Props {
  pupil: { id: number; name: string };
  words: readonly PupilWord[];
  range: DayRange;
  /** The words belong to other days, while those of the range load. */
  isStale: boolean;
}

/** Words that one pupil asked for or did not read in some days, with their books. */
export const PupilWords = ({ pupil, words, range, isStale }: Props) => (
  <Panel
    id="pupil-words"
    title="Words to practise"
    help="Words that the pupil asked for or did not read in more of the readings that met them than other words, the hardest first. “Few readings” marks those met in fewer than eight readings. Very common words such as “the” are never listed."
    isStale={isStale}
    actions={words.length > 0 && <PrintWordsButton source={{ kind: 'pupils', pupils: [pupil] }} range={range} />}
  >
    {words.length === 0 ? (
      <p>No difficult words in these dates.</p>
    ) : (
      <HardWordList words={words} extentOf={describePupilWord} />
    )}
  </Panel>
);
