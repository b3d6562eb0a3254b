import { Button } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { hardWordCalls } from '#contract/calls/hard-words.ts';
import { download } from '../../../shared/download.ts';
import { count } from '../../../shared/format.ts';
import { useSchoolId } from '../../../shared/session.ts';
import type { DayRange } from '../../../ui/date-range.ts';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { HelpText } from '../../../ui/HelpText.tsx';
import { hardWordsQuery, hardWordsInput } from '../reading-needs.api.ts';
import css from './HardWords.module.css';

/** Words that are shown at first: those with which most pupils struggled. */
const FIRST = 12;

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
  const [isAll, setAll] = useState(false);
  const words = found.data?.words;
  const shown = isAll ? words : words?.slice(0, FIRST);
  return (
    <section className={css.panel} aria-labelledby="hard-words" aria-busy={found.isFetching}>
      <header className={css.header}>
        <h2 id="hard-words">Words this class struggles with</h2>
        <HelpText about="Words this class struggles with">
          Words that three pupils or more asked for or did not turn green in these dates. Small words of nearly every
          page are left out. The sheet and the flashcards name nobody.
        </HelpText>
        {words && words.length > 0 && (
          <div className={css.print}>
            {(['sheet', 'flashcards'] as const).map((output) => (
              <Button
                key={output}
                variant="default"
                size="sm"
                loading={print.isPending && print.variables === output}
                onClick={() => print.mutate(output)}
              >
                {output === 'sheet' ? 'Print sheet' : 'Print flashcards'}
              </Button>
            ))}
          </div>
        )}
      </header>
      {print.error && <ErrorNotice error={print.error} />}
      {found.error && !words && <ErrorNotice error={found.error} onRetry={() => void found.refetch()} />}
      {words?.length === 0 && <p className={css.none}>No word was hard for three pupils or more in these dates.</p>}
      {words && words.length > 0 && (
        <ul className={css.words}>
          {shown?.map(({ word, readers: pupilCount, books }) => (
            <li key={word}>
              <span className={css.word}>{word}</span>
              <span className={css.where}>
                {count(pupilCount, 'pupil')} · {books.map(({ title }) => title).join(', ')}
              </span>
            </li>
          ))}
        </ul>
      )}
      {words && shown && shown.length < words.length && (
        <Button className="flush" variant="subtle" mt="sm" onClick={() => setAll(true)}>
          Show all {count(words.length, 'word')}
        </Button>
      )}
    </section>
  );
}
