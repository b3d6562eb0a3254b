import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { count } from '../../../../shared/format.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import type { DayRange } from '../../../../ui/date-range.ts';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { Panel } from '../../../../ui/Panel.tsx';
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
      help="Words that at least three pupils asked for or did not read in these dates. Very common words such as “the” are left out. What you print names no pupils."
      actions={words && words.length > 0 && <PrintWordsButton source={{ kind: 'class', id, name }} range={range} />}
      isStale={found.isPlaceholderData}
    >
      {found.error && !words && <ErrorNotice error={found.error} onRetry={() => void found.refetch()} />}
      {words?.length === 0 && <p>No word was hard for three pupils or more in these dates.</p>}
      {words && words.length > 0 && (
        <HardWordList words={words} extentOf={({ readers: pupilCount }) => count(pupilCount, 'pupil')} />
      )}
    </Panel>
  );
}
