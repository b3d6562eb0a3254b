import { Button } from '../../../../ui/Button.tsx';
import { Checkbox } from '../../../../ui/Checkbox.tsx';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { hardWordCalls } from '#contract/calls/hard-words.ts';
import { wordKey, type WordPrint } from '#contract/words.ts';
import { announce } from '../../../../shared/announcements.ts';
import { download } from '../../../../shared/download.ts';
import { count } from '../../../../shared/format.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import type { Params, Query } from '../../../../shared/url.ts';
import type { DayRange } from '../../../../ui/date-range.ts';
import { rangeInWords } from '../../../../ui/DateRange.tsx';
import { useHoldOpen } from '../../../../ui/Dialog.tsx';
import { DialogButtons } from '../../../../ui/DialogForm.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { callForPresent } from '../../../../ui/present-pupils.ts';
import { hardWordsInput, hardWordsQuery, pupilWordsInput, pupilWordsQuery } from '../reading-needs.api.ts';
import { countPages, listClassWords, listWords, TICKED_WORDS } from '../model/practice-words.ts';
import { useLoadingAnnouncement } from '../../../../ui/use-announcement.ts';
import css from './HardWordList.module.css';

const OUTPUTS = [
  { output: 'sheet', text: 'Print sheet' },
  { output: 'flashcards', text: 'Print flashcards' },
  { output: 'tick_list', text: 'Print tick list' },
] as const satisfies { output: WordPrint; text: string }[];

/** Whose words are printed. */
export type WordSource =
  | { kind: 'class'; id: number; name: string }
  | { kind: 'pupils'; pupils: readonly { id: number; name: string }[] };

interface Props {
  source: WordSource;
  range: DayRange;
  /** The words that are ticked at first; the first twelve when absent. */
  words?: readonly string[];
}

/** Chooses which words are printed, and how. */
export default function PrintWordsForm({ source, range, words: preset }: Props) {
  const schoolId = useSchoolId();
  /** The keys of the words that the user has ticked; null before the first change. */
  const [choice, setChoice] = useState<ReadonlySet<string> | null>(null);
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
  const lists = (ofClass.data ? [ofClass.data] : (ofPupils.data?.readers ?? [])).map((list) =>
    list.words.map(({ word }) => word),
  );
  const keys = words?.map(({ word }) => wordKey(word)) ?? [];
  const ticked = choice ?? new Set(preset ? preset.map(wordKey) : keys.slice(0, TICKED_WORDS));
  const tickedCount = keys.filter((key) => ticked.has(key)).length;
  useLoadingAnnouncement(found.isPending && !found.error, 'Loading words');

  const print = useMutation({
    mutationFn: async (output: WordPrint) => {
      const only = (words ?? []).flatMap(({ word }) => (ticked.has(wordKey(word)) ? word : []));
      // The words of forty pupils are too long for an address.
      const printed = only.length === words?.length ? { output } : { output, only: only.join(',') };
      const downloadWords = ({ path }: { path: string }, input: { params: Params; query: Query }) =>
        download(path, { params: input.params, query: { ...input.query, ...printed } }, `words-${output}.pdf`);
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
  const tickFirst = (first: readonly string[]) => {
    setChoice(new Set(first));
    announce(`${count(first.length, 'word')} ticked`);
  };
  const toggle = (word: string) => {
    const changed = new Set(ticked);
    if (!changed.delete(wordKey(word))) changed.add(wordKey(word));
    setChoice(changed);
  };

  return (
    <>
      <p className="flat below-m">
        Difficult words from {rangeInWords(range)}. Tick those you want to print.
        {source.kind === 'pupils' &&
          source.pupils.length > 1 &&
          ' Each pupil gets a sheet with their own words; flashcards have the words of all.'}
      </p>
      {found.error && <ErrorNotice error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && !found.error && <p>Loading words…</p>}
      {words?.length === 0 && <p>No difficult words in these dates.</p>}
      {words && words.length > 0 && (
        <>
          <div className="row">
            <Button variant="default" size="compact-sm" onClick={() => tickFirst(keys)}>
              Tick all
            </Button>
            {keys.length > TICKED_WORDS && (
              <Button variant="default" size="compact-sm" onClick={() => tickFirst(keys.slice(0, TICKED_WORDS))}>
                Tick the first twelve
              </Button>
            )}
          </div>
          <fieldset className={`tiled ${css.choice}`}>
            <legend className="visually-hidden">Words to print</legend>
            {words.map(({ word, extent }) => (
              <Checkbox
                key={word}
                label={
                  <>
                    {word} <span className="soft small block">{extent}</span>
                  </>
                }
                checked={ticked.has(wordKey(word))}
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
                disabled={tickedCount === 0}
                loading={print.isPending && print.variables === output}
                onClick={() => print.mutate(output)}
              >
                {tickedCount === 0 ? text : `${text} (${count(countPages(output, lists, ticked), 'page')})`}
              </Button>
            ))}
          </DialogButtons>
        </>
      )}
    </>
  );
}
