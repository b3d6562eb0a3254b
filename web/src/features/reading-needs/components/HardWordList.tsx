import { Button } from '@mantine/core';
import { useState } from 'react';
import { count } from '../../../shared/format.ts';
import css from './HardWordList.module.css';

interface HardWord {
  word: string;
  books: readonly { title: string }[];
}

interface Props<Word> {
  words: readonly Word[];
  /** How often the word was hard, or for how many: `4 pupils`. */
  extentOf: (word: Word) => string;
}

/** Words that are shown before somebody asks for all: those that were hardest. */
const FIRST = 12;

/** Titles that stand beside a word; where there are more, all but one are behind a fold. */
const TITLES = 2;

/** Hard words, each with the books it is in. */
export function HardWordList<Word extends HardWord>({ words, extentOf }: Props<Word>) {
  const [isAll, setAll] = useState(false);
  const shown = isAll ? words : words.slice(0, FIRST);
  return (
    <>
      <ul className={css.words}>
        {shown.map((one) => (
          <li key={one.word}>
            <span className={css.word}>{one.word}</span> <span className={css.extent}>{extentOf(one)}</span>
            <Titles titles={one.books.map(({ title }) => title)} />
          </li>
        ))}
      </ul>
      {shown.length < words.length && (
        <Button className="flush no-print" variant="subtle" mt="sm" onClick={() => setAll(true)}>
          Show all {count(words.length, 'word')}
        </Button>
      )}
    </>
  );
}

function Titles({ titles }: { titles: readonly string[] }) {
  if (titles.length <= TITLES) return <div className={css.titles}>{titles.join(', ')}</div>;
  const [first, ...others] = titles;
  return (
    <details className={css.titles}>
      <summary>
        {first} <span className={css.more}>and {others.length} more</span>
      </summary>
      {others.join(', ')}
    </details>
  );
}
