import { useState } from 'react';
import type { Book } from '#contract/calls/books.ts';
import css from './Cover.module.css';

interface Props {
  book: Pick<Book, 'title' | 'cover_image'>;
  /** The size asked of the content host, in pixels. */
  size: { height: number } | { width: number };
  /** The first covers of a page are fetched at once, the others when they come near the window. */
  isFirst?: boolean;
}

/** The address of a cover in a size. */
export function coverAddress(cover: string, size: Props['size']): string {
  const [side, pixels] = 'height' in size ? ['height', size.height] : ['width', size.width];
  return `${cover}${cover.includes('?') ? '&' : '?'}${side}=${pixels}`;
}

/** A book's cover; a plain one with the title where there is none, or none comes. Next to the title it says nothing of its own. */
export function Cover({ book: { title, cover_image }, size, isFirst = false }: Props) {
  const [failed, setFailed] = useState<string | null>(null);
  if (cover_image === null || failed === cover_image)
    return (
      <span className={css.plain} aria-hidden>
        <span>{title}</span>
      </span>
    );
  return (
    <img
      className={css.cover}
      src={coverAddress(cover_image, size)}
      alt=""
      width={300}
      height={400}
      loading={isFirst ? 'eager' : 'lazy'}
      decoding="async"
      onError={() => setFailed(cover_image)}
    />
  );
}
