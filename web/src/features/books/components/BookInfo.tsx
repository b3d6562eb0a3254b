import type { Book } from '#contract/calls/books.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { BookTags } from './BookTags.tsx';
import { Cover } from './Cover.tsx';
import { LevelBadge } from './LevelBadge.tsx';
import css from './BookInfo.module.css';

interface Props {
  /** Stays the last one while the dialog closes. */
  book: Book | null;
  isOpen: boolean;
  onClose: () => void;
}

/** What a book is about. */
export function BookInfo({ book, isOpen, onClose }: Props) {
  return (
    <Dialog isOpen={isOpen && book !== null} onClose={onClose} title={book?.title ?? ''} size="lg">
      {book && (
        <div className={css.info}>
          <div className={css.cover}>
            <Cover book={book} size={{ width: 200 }} isFirst />
          </div>
          <div className={css.words}>
            <p className={css.facts}>
              <LevelBadge level={book.reading_level} />
              {book.pages_count > 0 && <span>{book.pages_count === 1 ? '1 page' : `${book.pages_count} pages`}</span>}
            </p>
            <p>{book.description}</p>
            <BookTags tags={book.tags} />
          </div>
        </div>
      )}
    </Dialog>
  );
}
