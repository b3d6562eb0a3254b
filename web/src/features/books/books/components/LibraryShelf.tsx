import { useQuery } from '@tanstack/react-query';
import { type CSSProperties, memo, startTransition, useEffect, useRef, useState } from 'react';
import { useSchoolId } from '../../../../shared/session.ts';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { libraryQuery } from '../library.api.ts';
import { BOOKS_A_PART, booksOfPart, type LibraryPart, pagesOf } from '../model/library-parts.ts';
import type { LibraryState } from '../model/library-state.ts';
import { BookCard, type CardActions } from './BookCard.tsx';
import css from './LibraryShelf.module.css';

/** A part is rendered within this distance of the viewport. */
const NEAR = '900px 0px';
/** Covers that are visible without scrolling. */
const FIRST_COVERS = 6;
/** Parts that begin within this many books may be visible without scrolling, so the server renders them. */
const FIRST_BOOKS = 24;
/** Cards rendered per frame: sixty at once would block scrolling. */
const CARDS_A_FRAME = 12;

interface Props {
  part: LibraryPart;
  /** A small library is rendered completely, so that the browser's search and screen readers reach all of it. */
  isFullyRendered: boolean;
  state: LibraryState;
  actions: CardActions;
  /** The collection's title, for screen readers. */
  label: string;
}

/** Some books of a collection. Far from the viewport it is an empty box of the same height. */
export const LibraryShelf = memo(function LibraryShelf({ part, isFullyRendered, state, actions, label }: Props) {
  const { start, count } = part;
  const [isInReach, setInReach] = useState(start < FIRST_BOOKS);
  const isNear = isFullyRendered || isInReach;
  const box = useRef<HTMLDivElement>(null);
  const measured = useRef<{ height: number; count: number } | null>(null);

  useEffect(() => {
    const element = box.current;
    if (!element || isFullyRendered) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry) return;
        const height = element.offsetHeight;
        if (!entry.isIntersecting && height > 0) measured.current = { height, count };
        startTransition(() => setInReach(entry.isIntersecting));
      },
      { rootMargin: NEAR },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [isFullyRendered, count]);
  // The height depends on the width.
  useEffect(() => {
    const forget = () => (measured.current = null);
    window.addEventListener('resize', forget);
    return () => window.removeEventListener('resize', forget);
  }, []);

  const minHeight = measured.current?.count === count ? measured.current.height : undefined;
  return (
    <div
      ref={box}
      className={css.part}
      style={isNear ? undefined : ({ minHeight, '--books': count } as CSSProperties)}
      data-far={!isNear || undefined}
    >
      {isNear && <Books part={part} state={state} actions={actions} label={label} />}
    </div>
  );
});

/** The number of a part's loaded cards to render, which grows with each frame. A part that the server renders is complete at once. */
function useRenderedCards({ start }: LibraryPart, loadedCount: number): number {
  const [renderedCount, setRenderedCount] = useState(start < FIRST_BOOKS ? BOOKS_A_PART : CARDS_A_FRAME);
  useEffect(() => {
    if (renderedCount >= loadedCount) return;
    const frame = requestAnimationFrame(() => setRenderedCount((cards) => cards + CARDS_A_FRAME));
    return () => cancelAnimationFrame(frame);
  }, [renderedCount, loadedCount]);
  return renderedCount;
}

function Books({ part, state, actions, label }: Omit<Props, 'isFullyRendered'>) {
  const schoolId = useSchoolId();
  const [firstPage, lastPage] = pagesOf(part);
  const first = useQuery(libraryQuery(schoolId, actions.owner, state, firstPage));
  const last = useQuery(libraryQuery(schoolId, actions.owner, state, lastPage));
  const books = booksOfPart(part, first.data?.books, last.data?.books);
  const renderedCount = useRenderedCards(part, books.length);
  const error = first.data ? last.error : first.error;
  if (error && !(first.data && last.data))
    return (
      <ErrorNotice
        error={error}
        onRetry={() => {
          void first.refetch();
          void last.refetch();
        }}
      />
    );
  const cards = books.slice(0, renderedCount);
  const hasCards = cards.length > 0;
  return (
    <ul className={css.grid} aria-label={label} aria-busy={!hasCards} aria-hidden={!hasCards || undefined}>
      {cards.map((book, index) => (
        <BookCard key={book.id} book={book} isFirst={part.start + index < FIRST_COVERS} {...actions} />
      ))}
      {Array.from({ length: part.count - cards.length }, (_, index) => (
        <li key={`skeleton-${index}`} className={css.skeleton} aria-hidden />
      ))}
    </ul>
  );
}
