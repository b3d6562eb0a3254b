import { useState } from 'react';
import type { Book } from '#contract/calls/books.ts';
import css from './Cover.module.css';

interface Props {
  book: Pick<Book, 'title' | 'cover_image'>;
  /** The requested size, in pixels. */
  size: { height: number } | { width: number };
  /** In a list, whose covers are about this wide: a screen with few pixels gets a smaller picture. */
  listWidth?: string;
  /** The first covers of a page load at once, the others near the viewport. */
  isFirst?: boolean;
}

/** The URL of a cover in a size. */
function coverUrl(cover: string, size: Props['size']): string {
  const [side, pixels] = 'height' in size ? ['height', size.height] : ['width', size.width];
  return `${cover}${cover.includes('?') ? '&' : '?'}${side}=${pixels}`;
}

/** The heights of a cover in a list, and the width of the picture in each. */
const LIST_SIZES = [
  { height: 300, width: 225 },
  { height: 400, width: 300 },
];

/** A book's cover, or the title on a plain cover if there is no picture or it cannot be loaded. Decorative, because the title is beside it. */
export function Cover({ book: { title, cover_image }, size, listWidth, isFirst = false }: Props) {
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
      // Before `src`: Safari requests a picture as soon as that is set.
      {...(listWidth && {
        sizes: listWidth,
        srcSet: LIST_SIZES.map(({ height, width }) => `${coverUrl(cover_image, { height })} ${width}w`).join(', '),
      })}
      src={coverUrl(cover_image, size)}
      alt=""
      width={300}
      height={400}
      loading={isFirst ? 'eager' : 'lazy'}
      decoding="async"
      onError={() => setFailed(cover_image)}
    />
  );
}
