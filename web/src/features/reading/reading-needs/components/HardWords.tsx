import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSchoolId } from '../../../../shared/session.ts';
import type { DayRange } from '../../../../ui/date-range.ts';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { Panel } from '../../../../ui/Panel.tsx';
import { describeClassWord } from '../model/practice-words.ts';
import { hardWordsQuery } from '../reading-needs.api.ts';
import { HardWordList } from './HardWordList.tsx';
import { PrintWordsButton } from './PrintWordsButton.tsx';

interface Props {
  schoolClass: { id: number; name: string };
  range: DayRange;
}

/** Words that several pupils of a class struggled with in a range of days. */
export function HardWords({ schoolClass: { id, name }, range }: Props) {
  const found = useQuery({ ...hardWordsQuery(useSchoolId(), id, range), placeholderData: keepPreviousData });
  const words = found.data?.words;
  return (
    <Panel
      id="hard-words"
      title="Words this class struggles with"
      help="Words that at least three pupils asked for or did not read, in more of the readings that met them than other words, the hardest first. Each was met in at least eight readings; which words a reading met follows from the pages read, or from the app. Very common words such as “the” are never listed. What you print names no pupils."
      actions={words && words.length > 0 && <PrintWordsButton source={{ kind: 'class', id, name }} range={range} />}
      isStale={found.isPlaceholderData}
    >
      {found.error && !words && <ErrorNotice error={found.error} onRetry={() => void found.refetch()} />}
      {words?.length === 0 && <p>No word was hard for three pupils or more in these dates.</p>}
      {words && words.length > 0 && <HardWordList words={words} extentOf={describeClassWord} />}
    </Panel>
  );
}
