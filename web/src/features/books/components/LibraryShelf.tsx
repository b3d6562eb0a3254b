import { useQuery } from '@tanstack/react-query';
import { type CSSProperties, memo, startTransition, useEffect, useRef, useState } from 'react';
import { useSchoolId } from '../../../shared/session.ts';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { libraryQuery } from '../library.api.ts';
import { booksOfPart, type LibraryPart, pagesOf } from '../model/library-parts.ts';
import type { LibraryState } from '../model/library-state.ts';
import { BookCard, type CardActions } from './BookCard.tsx';
import css from './LibraryShelf.module.css';

/** How far from the window a part is drawn. */
const NEAR = '900px 0px';
/** Covers that are seen first. */
const FIRST_COVERS = 6;
/** Cards drawn in one frame: all sixty of a part at once would hold up a scroll. */
const CARDS_A_FRAME = 12;

interface Props {
  part: LibraryPart;
  /** A small library is drawn whole: it is found in by the browser, and read out from end to end. */
  isWhole: boolean;
  state: LibraryState;
  actions: CardActions;
  /** The collection's title, for those who do not see it. */
  label: string;
}

/** Some books of a collection. Far from the window it is as high as they are, and empty. */
export const LibraryShelf = memo(function LibraryShelf({ part, isWhole, state, actions, label }: Props) {
  const { start, count } = part;
  const [isInReach, setInReach] = useState(start === 0);
  const isNear = isWhole || isInReach;
  const box = useRef<HTMLDivElement>(null);
  const height = useRef<number | undefined>(undefined);

  useEffect(() => {
    const element = box.current;
    if (!element || isWhole) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry) return;
        if (!entry.isIntersecting) height.current = element.offsetHeight || undefined;
        startTransition(() => setInReach(entry.isIntersecting));
      },
      { rootMargin: NEAR },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [isWhole]);
  // Another width has other rows.
  useEffect(() => {
    const forget = () => (height.current = undefined);
    window.addEventListener('resize', forget);
    return () => window.removeEventListener('resize', forget);
  }, []);

  return (
    <div
      ref={box}
      className={css.part}
      style={isNear ? undefined : ({ height: height.current, '--books': count } as CSSProperties)}
      data-far={!isNear || undefined}
    >
      {isNear && <Books part={part} state={state} actions={actions} label={label} />}
    </div>
  );
});

/** How many of a part's cards are drawn: more in each frame, until all are. The first part, in the document, is whole at once. */
function useCardsDrawn({ start, count }: LibraryPart, areThere: boolean): number {
  const [drawn, setDrawn] = useState(start === 0 ? count : CARDS_A_FRAME);
  useEffect(() => {
    if (!areThere || drawn >= count) return;
    const frame = requestAnimationFrame(() => setDrawn((cards) => cards + CARDS_A_FRAME));
    return () => cancelAnimationFrame(frame);
  }, [areThere, drawn, count]);
  return Math.min(drawn, count);
}

function Books({ part, state, actions, label }: Omit<Props, 'isWhole'>) {
  const schoolId = useSchoolId();
  const [firstPage, lastPage] = pagesOf(part);
  const first = useQuery(libraryQuery(schoolId, actions.owner, state, firstPage));
  const last = useQuery(libraryQuery(schoolId, actions.owner, state, lastPage));
  const books = booksOfPart(part, first.data?.books, last.data?.books);
  const drawn = useCardsDrawn(part, books !== undefined);
  const error = first.data ? last.error : first.error;
  if (error && !books)
    return (
      <ErrorNotice
        error={error}
        onRetry={() => {
          void first.refetch();
          void last.refetch();
        }}
      />
    );
  if (!books)
    return (
      <div className={css.grid} aria-busy aria-hidden>
        {Array.from({ length: part.count }, (_, index) => (
          <span key={index} className={css.skeleton} />
        ))}
      </div>
    );
  return (
    <ul className={css.grid} aria-label={label}>
      {books.slice(0, drawn).map((book, index) => (
        <BookCard key={book.id} book={book} isFirst={part.start + index < FIRST_COVERS} {...actions} />
      ))}
      {books.slice(drawn).map(({ id }) => (
        <li key={id} className={css.skeleton} aria-hidden />
      ))}
    </ul>
  );
}
