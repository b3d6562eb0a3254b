/**
 * Enforces school, class and pupil outside the contract, where the API uses enterprise, group and reader. Inspects declared
 * names, comments, test titles and file names in web and server. Fields of the API (property access, object keys, string
 * literals) may keep its words.
 */
import { readScript, readStyles } from './read-names.ts';

interface WordReport {
  /** `text`: the name, comment or title that contains the word. */
  findings: { line: number; text: string }[];
  /** The number of names, comments and titles inspected; an inspection without any has failed. */
  seen: number;
}

const WORD = /^(enterprise|group|reader)s?$/i;
const IN_TEXT = /(?<![\w-])(enterprise|group|reader)s?(?![\w-])/i;
/** Terms of other fields that contain one of the words. */
const OTHER_TERMS =
  /\b(screen readers?|year groups?|group(s|ed)? by|regular-expression groups?|process groups?|colocation groups?)\b/gi;
/** Quotations from the API: code in backquotes, paths, URLs. */
const QUOTED = /`[^`]*`|(?<=^|[\s(])(GET |POST |PUT |PATCH |DELETE )?\/[^\s,;)]*/g;

/** Database columns with the API's name. */
const COLUMNS = new Set(['max_readers']);

const hasWord = (name: string): boolean =>
  !COLUMNS.has(name) &&
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/group[_-]by|year[_-]groups?/i, '')
    .split(/[^A-Za-z]+/)
    .some((segment) => WORD.test(segment));

const textHasWord = (text: string): boolean => IN_TEXT.test(text.replaceAll(QUOTED, '').replaceAll(OTHER_TERMS, ''));

/** Inspects one file of TypeScript. Throws when it cannot be parsed. */
export function inspectScript(path: string, source: string): WordReport {
  const texts = readScript(path, source).filter(({ kind }) => kind !== 'text');
  return {
    seen: texts.length,
    findings: texts
      .filter(({ kind, value }) => (kind === 'name' ? hasWord(value) : textHasWord(value)))
      .map(({ kind, line, value }) => ({
        line,
        text: kind === 'name' ? `the name ${value}` : `the ${kind} "${value}"`,
      })),
  };
}

/** Inspects one style sheet: its classes and comments. */
export function inspectStyles(source: string): WordReport {
  const texts = readStyles(source);
  return {
    seen: texts.length,
    findings: texts
      .filter(({ kind, value }) => (kind === 'name' ? hasWord(value) : textHasWord(value)))
      .map(({ kind, line, value }) => ({
        line,
        text: kind === 'name' ? `the class .${value}` : `the comment "${value}"`,
      })),
  };
}

/** Inspects the path of a file. */
export const inspectPath = (path: string): WordReport => ({
  seen: 1,
  findings: hasWord(path.split('/').slice(1).join('/')) ? [{ line: 1, text: 'the name of the file' }] : [],
});

const INSPECTED = /^(web|server)\//;

/**
 * Inspects web and server, and counts files, names, comments and titles.
 * @param tolerated the exact number of findings allowed in each file, so that the list can only shrink
 */
export function inspectDomainWords(
  tree: Readonly<Record<string, string>>,
  tolerated: Readonly<Record<string, number>> = {},
): {
  files: number;
  seen: number;
  findings: string[];
} {
  const paths = Object.keys(tree).filter((path) => INSPECTED.test(path));
  const reports = paths.flatMap((path) => {
    const source = tree[path] ?? '';
    const content = /\.[cm]?tsx?$/.test(path) ? [inspectScript(path, source)] : [];
    const styles = path.endsWith('.css') ? [inspectStyles(source)] : [];
    return [inspectPath(path), ...content, ...styles].map((finding) => ({ path, ...finding }));
  });
  return {
    files: paths.length,
    seen: reports.reduce((sum, { seen }) => sum + seen, 0),
    findings: [...new Set([...paths, ...Object.keys(tolerated)])].flatMap((path) => {
      const found = reports.filter((report) => report.path === path).flatMap(({ findings }) => findings);
      const count = tolerated[path] ?? 0;
      if (found.length > count)
        return found.map(({ line, text }) => `${path}:${line}: ${text} says enterprise, group or reader`);
      const left = found.length === 0 ? 'remove it' : `change it to ${found.length}`;
      return found.length < count ? [`checks/exceptions.json tolerates ${count} in ${path}: ${left}`] : [];
    }),
  };
}
