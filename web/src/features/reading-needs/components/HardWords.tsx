import { Button } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { hardWordCalls } from '#contract/calls/hard-words.ts';
import { download } from '../../../shared/download.ts';
import { count } from '../../../shared/format.ts';
import { useSchoolId } from '../../../shared/session.ts';
import type { DayRange } from '../../../ui/date-range.ts';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { hardWordsQuery, hardWordsInput } from '../reading-needs.api.ts';
import { HardWordList } from './HardWordList.tsx';

/** Words that several pupils of a class struggled with in some days, with a sheet and flashcards to print. */
export function HardWords({ classId, range }: { classId: number; range: DayRange }) {
  const schoolId = useSchoolId();
  const found = useQuery({ ...hardWordsQuery(schoolId, classId, range), placeholderData: keepPreviousData });
  const print = useMutation({
    mutationFn: (output: 'sheet' | 'flashcards') => {
      const { params, query } = hardWordsInput(schoolId, classId, range);
      return download(hardWordCalls.listHardWords.path, { params, query: { ...query, output } }, `words-${output}.pdf`);
    },
  });
  const words = found.data?.words;
  return (
    <Panel
      id="hard-words"
      title="Words this class struggles with"
      help="Words that three pupils or more asked for or did not turn green in these dates. Small words of nearly every page are left out. The sheet and the flashcards name nobody."
      actions={
        words &&
        words.length > 0 &&
        (['sheet', 'flashcards'] as const).map((output) => (
          <Button
            key={output}
            variant="default"
            size="sm"
            loading={print.isPending && print.variables === output}
            onClick={() => print.mutate(output)}
          >
            {output === 'sheet' ? 'Print sheet' : 'Print flashcards'}
          </Button>
        ))
      }
      aria-busy={found.isFetching}
    >
      {print.error && <ErrorNotice error={print.error} />}
      {found.error && !words && <ErrorNotice error={found.error} onRetry={() => void found.refetch()} />}
      {words?.length === 0 && <p>No word was hard for three pupils or more in these dates.</p>}
      {words && words.length > 0 && (
        <HardWordList words={words} extentOf={({ readers: pupilCount }) => count(pupilCount, 'pupil')} />
      )}
    </Panel>
  );
}
