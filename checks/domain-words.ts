/**
 * The words school, class and pupil: only the contract knows that the wire says enterprise, group and reader.
 * Inspects the names that web and server declare, their comments, their tests' titles and their files' names.
 * Fields of the wire (property access, keys of objects, string literals) are the contract's edge and may keep theirs.
 */
import { parseSync } from 'vite';

interface WordReport {
  /** `text`: what holds the word: a name, a comment, a title. */
  findings: { line: number; text: string }[];
  /** Names, comments and titles that were looked at: an inspection that saw none has failed. */
  seen: number;
}

interface Found {
  start: number;
  text: string;
  isWrong: boolean;
}

interface Node {
  type: string;
  start: number;
  [field: string]: unknown;
}

const WORD = /^(enterprise|group|reader)s?$/i;
const IN_TEXT = /(?<![\w-])(enterprise|group|reader)s?(?![\w-])/i;
/** Terms of other fields that hold one of the words. */
const OTHER_TERMS =
  /\b(screen readers?|year groups?|group(s|ed)? by|regular-expression groups?|process groups?|colocation groups?)\b/gi;
/** What a text quotes from the wire: code in backquotes, a path, an address. */
const QUOTED = /`[^`]*`|(?<=^|[\s(])(GET |POST |PUT |PATCH |DELETE )?\/[^\s,;)]*/g;

/** Columns of the database that carry the API's name. */
const COLUMNS = new Set(['max_readers']);

const hasWord = (name: string): boolean =>
  !COLUMNS.has(name) &&
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/group[_-]by/i, '')
    .split(/[^A-Za-z]+/)
    .some((segment) => WORD.test(segment));

const textHasWord = (text: string): boolean => IN_TEXT.test(text.replaceAll(QUOTED, '').replaceAll(OTHER_TERMS, ''));

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode);

/** The names that a pattern binds: those of `{ id, groups: classes = [] }` are `id` and `classes`. */
function boundNames(pattern: unknown): Node[] {
  if (!isNode(pattern)) return [];
  if (pattern.type === 'Identifier') return [pattern];
  const parts: Record<string, unknown[]> = {
    ObjectPattern: (pattern.properties as unknown[]) ?? [],
    ArrayPattern: (pattern.elements as unknown[]) ?? [],
    Property: [pattern.value],
    RestElement: [pattern.argument],
    AssignmentPattern: [pattern.left],
    TSParameterProperty: [pattern.parameter],
  };
  return (parts[pattern.type] ?? []).flatMap(boundNames);
}

const isDeclaration = /^(Function(Declaration|Expression)|ArrowFunctionExpression|TSDeclareFunction|TSFunctionType)$/;

/** The names that this node declares. A name imported as it is belongs to whoever exports it. */
function declaredBy(node: Node): Node[] {
  const { type, id, key, computed } = node;
  if (isDeclaration.test(type)) return [...boundNames(id), ...((node.params as unknown[]) ?? []).flatMap(boundNames)];
  if (type === 'VariableDeclarator') return boundNames(id);
  if (type === 'CatchClause') return boundNames(node.param);
  if (/^(Class(Declaration|Expression)|TS(TypeAlias|Interface|Enum)Declaration)$/.test(type)) return boundNames(id);
  if (type === 'TSTypeParameter') return boundNames(node.name);
  if (/^(TSPropertySignature|TSMethodSignature|PropertyDefinition|MethodDefinition)$/.test(type))
    return computed ? [] : boundNames(key);
  if (/^Import(Default|Namespace)Specifier$/.test(type)) return boundNames(node.local);
  if (type === 'ImportSpecifier' && (node.local as Node).name !== (node.imported as Node).name)
    return boundNames(node.local);
  return [];
}

/** The title of a test: the first argument of `test(…)`, `it.each(…)(…)`, `test.describe(…)`. */
function titleOf(node: Node, source: string): Node[] {
  if (node.type !== 'CallExpression') return [];
  const callee = source.slice(node.start, (node.callee as Node & { end: number }).end);
  const [title] = node.arguments as Node[];
  return title && /^(test|it|describe)\b/.test(callee) && /^(Literal|TemplateLiteral)$/.test(title.type) ? [title] : [];
}

/** Inspects one file of TypeScript. Throws where it cannot be parsed. */
export function inspectScript(path: string, source: string): WordReport {
  const { program, comments, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const found: Found[] = comments.map(({ start, value }) => ({
    start,
    text: `the comment "${value.replaceAll(/[\s*]+/g, ' ').trim()}"`,
    isWrong: textHasWord(value.replaceAll(/\s+\*?\s*/g, ' ')),
  }));
  const walk = (node: Node) => {
    for (const { start, name } of declaredBy(node))
      found.push({ start, text: `the name ${String(name)}`, isWrong: hasWord(String(name)) });
    for (const title of titleOf(node, source)) {
      const text = source.slice(title.start + 1, (title as Node & { end: number }).end - 1);
      found.push({ start: title.start, text: `the title "${text}"`, isWrong: textHasWord(text) });
    }
    childrenOf(node).forEach(walk);
  };
  walk(program as unknown as Node);
  return report(source, found);
}

/** Inspects one style sheet: its classes and comments. */
export function inspectStyles(source: string): WordReport {
  const found = [...source.matchAll(/\/\*([^]*?)\*\/|\.([a-zA-Z][\w-]*)/g)].map(({ index, 1: comment, 2: name }) =>
    comment === undefined
      ? { start: index, text: `the class .${name}`, isWrong: hasWord(name ?? '') }
      : { start: index, text: `the comment "${comment.trim()}"`, isWrong: textHasWord(comment) },
  );
  return report(source, found);
}

/** Inspects the path of a file. */
export const inspectPath = (path: string): WordReport =>
  report('', [{ start: 0, text: 'the name of the file', isWrong: hasWord(path.split('/').slice(1).join('/')) }]);

function report(source: string, found: readonly Found[]): WordReport {
  return {
    seen: found.length,
    findings: found
      .filter(({ isWrong }) => isWrong)
      .map(({ start, text }) => ({ line: source.slice(0, start).split('\n').length, text })),
  };
}

const INSPECTED = /^(web|server)\//;

/**
 * Inspects all of web and server: how many files it read, how many names, comments and titles it saw in them.
 * `tolerated` says of how many each file is still to be cleaned: neither more nor fewer, so that the list only shrinks.
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
    return [inspectPath(path), ...content, ...styles].map((one) => ({ path, ...one }));
  });
  return {
    files: paths.length,
    seen: reports.reduce((sum, { seen }) => sum + seen, 0),
    findings: [...new Set([...paths, ...Object.keys(tolerated)])].flatMap((path) => {
      const found = reports.filter((one) => one.path === path).flatMap(({ findings }) => findings);
      const count = tolerated[path] ?? 0;
      if (found.length > count)
        return found.map(({ line, text }) => `${path}:${line}: ${text} says enterprise, group or reader`);
      const left = found.length === 0 ? 'take it out' : `say ${found.length}`;
      return found.length < count ? [`checks/exceptions.json tolerates ${count} in ${path}: ${left}`] : [];
    }),
  };
}
