import { useQuery } from '@tanstack/react-query';
import { type CSSProperties, memo, startTransition, useEffect, useRef, useState } from 'react';
import { useSchoolId } from '../../../shared/session.ts';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { libraryQuery } from '../library.api.ts';
import { booksOfPart, type LibraryPart, pagesOf } from '../model/library-parts.ts';
import type { LibraryState } from '../model/library-state.ts';
import { BookCard, type CardActions } from './BookCard.tsx';
import css from './LibraryShelf.module.css';

/** A part is rendered within this distance of the viewport. */
const NEAR = '900px 0px';
/** Covers that are visible without scrolling. */
const FIRST_COVERS = 6;
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
  const [isInReach, setInReach] = useState(start === 0);
  const isNear = isFullyRendered || isInReach;
  const box = useRef<HTMLDivElement>(null);
  const height = useRef<number | undefined>(undefined);

  useEffect(() => {
    const element = box.current;
    if (!element || isFullyRendered) return;
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
  }, [isFullyRendered]);
  // The height depends on the width.
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

/** The number of a part's cards to render, which grows with each frame. The first part, which the server renders, is complete at once. */
function useRenderedCards({ start, count }: LibraryPart, areLoaded: boolean): number {
  const [renderedCount, setRenderedCount] = useState(start === 0 ? count : CARDS_A_FRAME);
  useEffect(() => {
    if (!areLoaded || renderedCount >= count) return;
    const frame = requestAnimationFrame(() => setRenderedCount((cards) => cards + CARDS_A_FRAME));
    return () => cancelAnimationFrame(frame);
  }, [areLoaded, renderedCount, count]);
  return Math.min(renderedCount, count);
}

function Books({ part, state, actions, label }: Omit<Props, 'isFullyRendered'>) {
  const schoolId = useSchoolId();
  const [firstPage, lastPage] = pagesOf(part);
  const first = useQuery(libraryQuery(schoolId, actions.owner, state, firstPage));
  const last = useQuery(libraryQuery(schoolId, actions.owner, state, lastPage));
  const books = booksOfPart(part, first.data?.books, last.data?.books);
  const renderedCount = useRenderedCards(part, books !== undefined);
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
      {books.slice(0, renderedCount).map((book, index) => (
        <BookCard key={book.id} book={book} isFirst={part.start + index < FIRST_COVERS} {...actions} />
      ))}
      {books.slice(renderedCount).map(({ id }) => (
        <li key={id} className={css.skeleton} aria-hidden />
      ))}
    </ul>
  );
}
