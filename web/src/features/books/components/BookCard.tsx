import { Button } from '@mantine/core';
import { IconCheck, IconEye, IconInfoCircle, IconUsers } from '@tabler/icons-react';
import { memo } from 'react';
import type { Book } from '#contract/calls/books.ts';
import { canRemove, type BookChange, type LibraryOwner } from '../library.api.ts';
import { Cover } from './Cover.tsx';
import { LevelBadge } from './LevelBadge.tsx';
import css from './BookCard.module.css';

export interface CardActions {
  owner: LibraryOwner;
  /** False where the person may look only. */
  canAssign: boolean;
  onChange: (book: Book, change: BookChange) => void;
  onInfo: (book: Book) => void;
  onPreview: (book: Book) => void;
}

interface Props extends CardActions {
  book: Book;
  isFirst: boolean;
}

/** One book: its cover and title, and over the cover what can be done with it. Where nothing hovers, it stands below. */
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
        <Cover book={book} size={{ height: 400 }} isFirst={isFirst} />
        {book.is_assigned && (
          <span className={css.assigned}>
            {isViaClass ? <IconUsers size={16} aria-hidden /> : <IconCheck size={16} aria-hidden />}
            {isViaClass ? 'Through class' : 'Assigned'}
          </span>
        )}
        <div className={css.overlay} role="group" aria-label={book.title}>
          {isViaClass ? (
            <p className={css.via}>This book is assigned through class</p>
          ) : (
            canAssign && (
              <Button
                size="sm"
                fullWidth
                variant={removes ? 'default' : 'filled'}
                aria-label={`${words}: ${book.title}`}
                onClick={() => onChange(book, removes ? 'remove' : 'assign')}
              >
                {words}
              </Button>
            )
          )}
          <Button
            size="sm"
            fullWidth
            variant="default"
            leftSection={<IconInfoCircle size={18} aria-hidden />}
            aria-label={`Book info: ${book.title}`}
            onClick={() => onInfo(book)}
          >
            Book info
          </Button>
          {book.preview && (
            <Button
              size="sm"
              fullWidth
              variant="default"
              leftSection={<IconEye size={18} aria-hidden />}
              aria-label={`Preview book: ${book.title}`}
              onClick={() => onPreview(book)}
            >
              Preview book
            </Button>
          )}
        </div>
      </div>
      <p className={css.title}>{book.title}</p>
      <LevelBadge level={book.reading_level} />
    </li>
  );
});
