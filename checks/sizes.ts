/** The sizes of text, the spaces and the widths of windows that style sheets may name. Source: web/src/ui/tokens.css. */

/** A line of a style sheet that names another size, with its number. */
export interface OtherSize {
  line: number;
  text: string;
}

/** A token, what stands around, or what a child reads. */
const TEXT_SIZES = /^(var\(--text-[\w-]+\)|inherit|[^;]*var\(--font-child\))$/;

/** A length of its own in a gap, padding or margin; a hair's breadth, and what goes by the size of the text, are none. */
const OTHER_SPACE = /(?<![\w.])(?!1px)\d*\.?\d+(?:rem|px)\b/;

/** The height of a desktop window at which the menu becomes shorter. */
const HEIGHTS = ['max-height: 49.999em'];

/** Finds sizes of text and spaces that are no tokens, and windows of a size that is no named breakpoint (web/build/breakpoints.ts). */
export function findOtherSizes(styles: string): OtherSize[] {
  return styles.split('\n').flatMap((text, index) => {
    const [, size] = /^\s*font(?:-size)?: ([^;]+);/.exec(text) ?? [];
    const [, space = ''] = /^\s*(?:(?:row-|column-)?gap|(?:padding|margin)[\w-]*): ([^;]+);/.exec(text) ?? [];
    const windows = text.includes('@media') ? (text.match(/(min|max)-(width|height): [^)]+/g) ?? []) : [];
    const isOther =
      (size !== undefined && !TEXT_SIZES.test(size)) ||
      OTHER_SPACE.test(space) ||
      windows.some((one) => !HEIGHTS.includes(one));
    return isOther ? [{ line: index + 1, text: text.trim() }] : [];
  });
}
