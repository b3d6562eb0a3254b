import type { Book } from '#contract/calls/books.ts';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { Button } from '../../../../ui/Button.tsx';
import { canRemove } from '../library.api.ts';
import type { CardActions } from './BookCard.tsx';
import { BookPupils } from './BookPupils.tsx';
import { BookTags } from './BookTags.tsx';
import { Cover } from './Cover.tsx';
import { LevelBadge } from './LevelBadge.tsx';
import css from './BookInfo.module.css';

interface Props {
  /** Stays visible while the dialog closes. */
  book: Book | null;
  isOpen: boolean;
  onClose: () => void;
  actions: CardActions;
}

/** What a book is about, the actions, and for a class who has read it. */
export function BookInfo({ book, isOpen, onClose, actions }: Props) {
  const { owner, canAssign, onChange, onPreview } = actions;
  const isClass = 'classId' in owner;
  const removes = book !== null && canRemove(owner, book);
  const isViaClass = !isClass && book?.is_assigned_via_group;
  return (
    <Dialog isOpen={isOpen && book !== null} onClose={onClose} title={book?.title ?? ''} size="lg">
      {book && (
        <div className={css.info}>
          <div className={css.cover}>
            <Cover book={book} size={{ width: 200 }} isFirst />
          </div>
          <div>
            <p className={`soft ${css.facts}`}>
              <LevelBadge level={book.reading_level} />
              {book.pages_count > 0 && <span>{book.pages_count === 1 ? '1 page' : `${book.pages_count} pages`}</span>}
            </p>
            <p>{book.description}</p>
            <BookTags tags={book.tags} />
            <div className="cluster-m above-m">
              {canAssign && !isViaClass && (
                <Button
                  variant={removes ? 'default' : 'filled'}
                  onClick={() => {
                    onClose();
                    onChange(book, removes ? 'remove' : 'assign');
                  }}
                >
                  {`${removes ? 'Remove from' : 'Assign to'} ${isClass ? 'class' : 'pupil'}`}
                </Button>
              )}
              {book.preview && (
                <Button variant="default" onClick={() => onPreview(book)}>
                  Preview book
                </Button>
              )}
            </div>
            {isViaClass && <p>This book is assigned through class</p>}
            {isClass && book.is_assigned && <BookPupils classId={owner.classId} bookId={book.id} />}
          </div>
        </div>
      )}
    </Dialog>
  );
}
