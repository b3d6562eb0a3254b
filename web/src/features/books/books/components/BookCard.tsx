import { IconCheck, IconEye, IconInfoCircle, IconPlus, IconUsers } from '@tabler/icons-react';
import { memo } from 'react';
import type { Book } from '#contract/calls/books.ts';
import { canRemove, type BookChange, type LibraryOwner } from '../library.api.ts';
import { Cover } from './Cover.tsx';
import { LevelBadge } from './LevelBadge.tsx';
import css from './BookCard.module.css';

export interface CardActions {
  owner: LibraryOwner;
  /** False if the user has read access only. */
  canAssign: boolean;
  onChange: (book: Book, change: BookChange) => void;
  onInfo: (book: Book) => void;
  onPreview: (book: Book) => void;
}

interface Props extends CardActions {
  book: Book;
  isFirst: boolean;
}

/**
 * One book: its cover and title, with its actions over the cover. On touch screens a plus assigns it, and a tap on the
 * cover opens its info with the other actions.
 */
export const BookCard = memo(function BookCard({
  book,
  isFirst,
  owner,
  canAssign,
  onChange,
  onInfo,
  onPreview,
}: Props) {
  const isClass = 'classId' in owner;
  const isViaClass = !isClass && book.is_assigned_via_group;
  const removes = canRemove(owner, book);
  const words = removes ? `Remove from ${isClass ? 'class' : 'pupil'}` : `Assign to ${isClass ? 'class' : 'pupil'}`;
  return (
    <li className={css.card} data-book={book.id}>
      <div className={css.picture}>
        <Cover book={book} size={{ height: 400 }} listWidth="11rem" isFirst={isFirst} />
        {book.is_assigned && (
          <span className={css.assigned} data-via={isViaClass || undefined}>
            {isViaClass ? <IconUsers size={16} aria-hidden /> : <IconCheck size={16} aria-hidden />}
            {isViaClass ? 'Through class' : 'Assigned'}
          </span>
        )}
        <div className={`${css.overlay} no-print`} role="group" aria-label={book.title}>
          {isViaClass ? (
            <p className={css.via}>This book is assigned through class</p>
          ) : (
            canAssign && (
              <button
                type="button"
                className={css.action}
                data-change
                data-main={!removes || undefined}
                data-removes={removes || undefined}
                aria-label={`${words}: ${book.title}`}
                onClick={() => onChange(book, removes ? 'remove' : 'assign')}
              >
                {removes ? (
                  <IconCheck size={22} aria-hidden className={css.sign} />
                ) : (
                  <IconPlus size={22} aria-hidden className={css.sign} />
                )}
                <span>{words}</span>
              </button>
            )
          )}
          <button
            type="button"
            className={css.action}
            data-info
            aria-label={`Book info: ${book.title}`}
            onClick={() => onInfo(book)}
          >
            <IconInfoCircle size={18} aria-hidden />
            Book info
          </button>
          {book.preview && (
            <button
              type="button"
              className={css.action}
              aria-label={`Preview book: ${book.title}`}
              onClick={() => onPreview(book)}
            >
              <IconEye size={18} aria-hidden />
              Preview book
            </button>
          )}
        </div>
      </div>
      <p className={css.title}>{book.title}</p>
      <LevelBadge level={book.reading_level} />
    </li>
  );
});
