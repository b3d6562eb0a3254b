import type { ComponentProps, CSSProperties } from 'react';
import css from './Tiles.module.css';

interface Props extends ComponentProps<'ul'> {
  /** The narrowest a tile may be, as a CSS length. */
  minWidth: string;
}

/** A list of tiles of equal width, as many in a row as fit. */
export const Tiles = ({ minWidth, ...props }: Props) => (
  <ul className={`tiled ${css.tiles}`} style={{ '--tile': minWidth } as CSSProperties} {...props} />
);
