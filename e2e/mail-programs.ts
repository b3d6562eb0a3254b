/** What Word ignores, and with it Outlook for Windows, outside of table cells. */
const ONLY_IN_CELLS = /(?:^|;)\s*(?:padding[\w-]*|width|max-width|min-width|height|display)\s*:[^;]*/gi;
/** What it ignores everywhere. */
const NEVER =
  /(?:^|;)\s*(?:border-radius|max-width|overflow-wrap|word-break|table-layout|box-shadow|display)\s*:[^;]*/gi;

const isCell = (tag: string): boolean => tag === 'td' || tag === 'th';

/**
 * A mail as Outlook for Windows shows it: without style sheets and pictures in SVG, with the tables that only Word sees,
 * and without what Word ignores. Source: Microsoft's list of what Word renders.
 */
export const asWord = (html: string): string =>
  html
    .replace(/<style>[^]*?<\/style>/g, '')
    .replace(/<svg[^]*?<\/svg>/g, '')
    .replace(/<!--\[if mso\]>([^]*?)<!\[endif\]-->/g, '$1')
    .replace(/<(\w+)([^>]*?) style="([^"]*)"/g, (_, tag: string, before: string, style: string) => {
      const kept = style.replace(NEVER, '').replace(isCell(tag) ? /$^/ : ONLY_IN_CELLS, '');
      return `<${tag}${before} style="${kept}"`;
    });
