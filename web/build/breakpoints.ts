import type { Plugin } from 'vite';

/**
 * The widths, and a height, at which screens change their layout, in em: large text in the browser's settings moves them. A style
 * sheet names them: `@media (--phone)`.
 */
export const BREAKPOINTS: Readonly<Record<string, string>> = {
  '--small-phone': '(max-width: 26.249em)',
  '--phone': '(max-width: 37.499em)',
  '--tablet': '(max-width: 62.499em)',
  '--desktop': '(min-width: 62.5em)',
  '--low-window': '(max-height: 29.999em)',
};

/** Replaces the names of breakpoints in a style sheet. Throws on an unknown name and on a width without a name. */
export const withBreakpoints = (css: string): string =>
  css.replaceAll(/@media[^{]*/g, (query) => {
    if (/\((min|max)-width:/.test(query))
      throw new Error(`Name the width in web/build/breakpoints.ts: ${query.trim()}`);
    return query.replaceAll(/\((--[\w-]+)\)/g, (_, name: string) => {
      const condition = BREAKPOINTS[name];
      if (condition === undefined) throw new Error(`web/build/breakpoints.ts has no ${name}.`);
      return condition;
    });
  });

/** Applies the breakpoints to our own style sheets. */
export const breakpoints = (): Plugin => ({
  name: 'breakpoints',
  enforce: 'pre',
  transform: (code, id) =>
    /\/web\/src\/.*\.css$/.test(id.split('?')[0]!) ? { code: withBreakpoints(code), map: null } : null,
});
