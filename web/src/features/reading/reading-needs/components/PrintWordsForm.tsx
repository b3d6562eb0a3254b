import { Button } from '../../../../ui/Button.tsx';
import { Checkbox } from '../../../../ui/Checkbox.tsx';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { hardWordCalls } from '#contract/calls/hard-words.ts';
import { download } from '../../../../shared/download.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import type { Params, Query } from '../../../../shared/url.ts';
import type { DayRange } from '../../../../ui/date-range.ts';
import { rangeInWords } from '../../../../ui/DateRange.tsx';
import { useHoldOpen } from '../../../../ui/Dialog.tsx';
import { DialogButtons } from '../../../../ui/DialogForm.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { callForPresent } from '../../../../ui/present-pupils.ts';
import { hardWordsInput, hardWordsQuery, pupilWordsInput, pupilWordsQuery } from '../reading-needs.api.ts';
import { listClassWords, listWords } from '../model/practice-words.ts';
import { useLoadingAnnouncement } from '../../../../ui/use-announcement.ts';
import css from './HardWordList.module.css';

const OUTPUTS = [
  { output: 'sheet', text: 'Print sheet' },
  { output: 'flashcards', text: 'Print flashcards' },
  { output: 'tick_list', text: 'Print tick list' },
] as const;
type Output = (typeof OUTPUTS)[number]['output'];

/** Whose words are printed. */
export type WordSource =
  | { kind: 'class'; id: number; name: string }
  | { kind: 'pupils'; pupils: readonly { id: number; name: string }[] };

interface Props {
  source: WordSource;
  range: DayRange;
  /** The words that are ticked at first; all when absent. */
  words?: readonly string[];
}

/** Chooses which words are printed, and how. */
export default function PrintWordsForm({ source, range, words: only }: Props) {
  const schoolId = useSchoolId();
  /** Words whose tick the user has changed. */
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set());
  const [hasCommon, setCommon] = useState(true);
  const ofClass = useQuery({
    ...hardWordsQuery(schoolId, source.kind === 'class' ? source.id : 0, range),
    enabled: source.kind === 'class',
  });
  const ofPupils = useQuery({
    ...pupilWordsQuery(schoolId, source.kind === 'pupils' ? source.pupils : [], range),
    enabled: source.kind === 'pupils',
  });
  const found = source.kind === 'class' ? ofClass : ofPupils;
  const words = ofClass.data ? listClassWords(ofClass.data.words) : ofPupils.data && listWords(ofPupils.data.readers);
  const shown = words?.filter(({ isCommon }) => hasCommon || !isCommon);
  const isTicked = (word: string) =>
    (only === undefined || only.some((form) => form.toLowerCase() === word.toLowerCase())) !== changed.has(word);
  useLoadingAnnouncement(found.isPending && !found.error, 'Loading words');
  const ticked = shown?.filter(({ word }) => isTicked(word)).length ?? 0;

  const print = useMutation({
    mutationFn: async (output: Output) => {
      const leftOut = (words ?? []).flatMap(({ word }) => (isTicked(word) ? [] : word));
      const choice = { output, common: String(hasCommon), leave_out: leftOut.join(',') };
      const downloadWords = ({ path }: { path: string }, input: { params: Params; query: Query }) =>
        download(path, { params: input.params, query: { ...input.query, ...choice } }, `words-${output}.pdf`);
      if (source.kind === 'class')
        await downloadWords(hardWordCalls.listHardWords, hardWordsInput(schoolId, source.id, range));
      else
        await callForPresent(source.pupils, (present) => {
          const ids = present.map(({ id }) => id);
          return downloadWords(hardWordCalls.listPupilWords, pupilWordsInput(schoolId, ids, range));
        });
    },
  });

  useHoldOpen(print.isPending);
  const toggle = (word: string) =>
    setChanged((before) => {
      const after = new Set(before);
      if (!after.delete(word)) after.add(word);
      return after;
    });

  return (
    <>
      <p className="flat below-m">
        Difficult words from {rangeInWords(range)}. Untick any you do not want to print.
        {source.kind === 'pupils' &&
          source.pupils.length > 1 &&
          ' Each pupil gets a sheet with their own words; flashcards have the words of all.'}
      </p>
      {found.error && <ErrorNotice error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && !found.error && <p>Loading words…</p>}
      {words?.length === 0 && <p>No difficult words in these dates.</p>}
      {words && words.length > 0 && (
        <>
          <Checkbox
            label="Leave out common words, such as “they” and “that”"
            checked={!hasCommon}
            onChange={(event) => setCommon(!event.currentTarget.checked)}
          />
          <fieldset className={`tiled ${css.choice}`}>
            <legend className="visually-hidden">Words to print</legend>
            {shown?.map(({ word, extent }) => (
              <Checkbox
                key={word}
                label={
                  <>
                    {word} <span className="soft small">{extent}</span>
                  </>
                }
                checked={isTicked(word)}
                onChange={() => toggle(word)}
              />
            ))}
          </fieldset>
          {print.error && <ErrorNotice error={print.error} />}
          <DialogButtons>
            {OUTPUTS.map(({ output, text }, index) => (
              <Button
                key={output}
                variant={index === 0 ? 'filled' : 'default'}
                disabled={ticked === 0}
                loading={print.isPending && print.variables === output}
                onClick={() => print.mutate(output)}
              >
                {text}
              </Button>
            ))}
          </DialogButtons>
        </>
      )}
    </>
  );
}
