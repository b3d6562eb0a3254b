import type { ReactNode } from 'react';
import { countWords } from '../model/attention.ts';
import css from './WordList.module.css';

interface Props {
  title: string;
  words: readonly string[];
  empty: string;
  /** Beside the title. */
  action?: ReactNode;
}

/** The different words of a session, each with its count. */
export function WordList({ title, words, empty, action }: Props) {
  return (
    <section className={css.box}>
      <div className={`row ${css.head}`}>
        <h3>{title}</h3>
        {action}
      </div>
      {words.length === 0 ? (
        <p className="soft flat">{empty}</p>
      ) : (
        <ul className={css.words}>
          {countWords(words).map(({ word, times }) => (
            <li key={word}>
              {word}
              {times > 1 && <span> × {times}</span>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
