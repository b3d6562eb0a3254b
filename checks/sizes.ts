/** The text sizes, spaces and breakpoints that style sheets may use. Source: web/src/ui/tokens.css. */

/** A line of a style sheet with a size of its own, and its number. */
export interface OtherSize {
  line: number;
  text: string;
}

/** A token, an inherited size, the size for children, or the size in which a list measures its width. */
const TEXT_SIZES = /^(var\(--text-[\w-]+\)|inherit|[^;]*var\(--font-child\)|[^;]*var\(--columns, 1\)\))$/;

/** A literal length in a gap, padding or margin, except 1 px and lengths relative to the text. */
const OTHER_SPACE = /(?<![\w.])(?!1px)\d*\.?\d+(?:rem|px)\b/;

/** The file of what stays in view while a page scrolls, and the text that no other file has. */
export const STICKY_SHEET = 'web/src/ui/base.css';
export const STICKY = 'position: sticky';

/** The window height at which the menu becomes more compact. */
const HEIGHTS = ['max-height: 49.999em'];

/** Finds text sizes and spaces without a token, and window sizes that are not named breakpoints (web/build/breakpoints.ts). */
export function findOtherSizes(styles: string): OtherSize[] {
  return styles.split('\n').flatMap((text, index) => {
    const [, size] = /^\s*font(?:-size)?: ([^;]+);/.exec(text) ?? [];
    const [, space = ''] = /^\s*(?:(?:row-|column-)?gap|(?:padding|margin)[\w-]*): ([^;]+);/.exec(text) ?? [];
    const windows = text.includes('@media') ? (text.match(/(min|max)-(width|height): [^)]+/g) ?? []) : [];
    const isOther =
      (size !== undefined && !TEXT_SIZES.test(size)) ||
      OTHER_SPACE.test(space) ||
      windows.some((height) => !HEIGHTS.includes(height));
    return isOther ? [{ line: index + 1, text: text.trim() }] : [];
  });
}
