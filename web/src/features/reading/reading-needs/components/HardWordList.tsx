import { Button } from '../../../../ui/Button.tsx';
import { useState } from 'react';
import { count } from '../../../../shared/format.ts';
import css from './HardWordList.module.css';

interface HardWord {
  word: string;
  books: readonly { title: string }[];
}

interface Props<Word> {
  words: readonly Word[];
  /** How often the word was hard: `hard in 38 of 81, 12 pupils`. */
  extentOf: (word: Word) => string;
}

/** The hardest words, shown before "Show all". */
const INITIAL_WORDS = 12;

/** The most titles shown beside a word. If there are more, all but the first are folded. */
const MAX_TITLES = 2;

/** Hard words, each with the books it is in. */
export function HardWordList<Word extends HardWord>({ words, extentOf }: Props<Word>) {
  const [isAll, setAll] = useState(false);
  const shown = isAll ? words : words.slice(0, INITIAL_WORDS);
  return (
    <>
      <ul className={css.words}>
        {shown.map((word) => (
          <li key={word.word}>
            <span className={css.word}>{word.word}</span> <span className={css.extent}>{extentOf(word)}</span>
            <Titles titles={word.books.map(({ title }) => title)} />
          </li>
        ))}
      </ul>
      {shown.length < words.length && (
        <Button className="flush no-print above-m" variant="subtle" onClick={() => setAll(true)}>
          Show all {count(words.length, 'word')}
        </Button>
      )}
    </>
  );
}

function Titles({ titles }: { titles: readonly string[] }) {
  if (titles.length <= MAX_TITLES) return <div className={css.titles}>{titles.join(', ')}</div>;
  const [first, ...others] = titles;
  return (
    <details className={`no-marker ${css.titles}`}>
      <summary>
        {first} <span className={`like-link nowrap ${css.more}`}>and {others.length} more</span>
      </summary>
      {others.join(', ')}
    </details>
  );
}
