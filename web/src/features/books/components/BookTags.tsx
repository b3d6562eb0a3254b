import type { Book } from '#contract/calls/books.ts';
import css from './BookTags.module.css';

/** What a book is about, in single words. */
export const BookTags = ({ tags }: Pick<Book, 'tags'>) =>
  tags.length > 0 && (
    <ul className={css.tags} aria-label="Tags">
      {tags.map(({ id, text }) => (
        <li key={id}>{text}</li>
      ))}
    </ul>
  );
