import { Button } from '@mantine/core';
import type { PupilWord } from '#contract/calls/pupil-progress.ts';
import { useState } from 'react';
import { count } from '../../../shared/format.ts';
import { HelpText } from '../../../ui/HelpText.tsx';
import css from './HardWords.module.css';

/** Words that are shown before somebody asks for all. */
const FIRST = 24;

/** Words that one pupil asked for or did not read in some days, with the books they are in. */
export function PupilWords({ words }: { words: readonly PupilWord[] }) {
  const [isAll, setAll] = useState(false);
  const shown = isAll ? words : words.slice(0, FIRST);
  return (
    <section className={css.panel} aria-labelledby="pupil-words">
      <header className={css.header}>
        <h2 id="pupil-words">Words to practise</h2>
        <HelpText about="Words to practise">
          Words that the pupil asked for or did not turn green in these dates, those first that were hard in most
          readings. Small words of nearly every page are left out.
        </HelpText>
      </header>
      {words.length === 0 && <p className={css.none}>No word was hard in these dates.</p>}
      <ul className={css.words}>
        {shown.map(({ word, readings, books }) => (
          <li key={word}>
            <span className={css.word}>{word}</span>
            <span className={css.where}>
              {count(readings, 'reading')} · {books.map(({ title }) => title).join(', ')}
            </span>
          </li>
        ))}
      </ul>
      {shown.length < words.length && (
        <Button className="flush" variant="subtle" mt="sm" onClick={() => setAll(true)}>
          Show all {count(words.length, 'word')}
        </Button>
      )}
    </section>
  );
}
