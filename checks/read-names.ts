/** Reads the names, comments, test titles and texts of a source file, for the checks of words. */
import { parseSync } from 'vite';

/** `name`: a declared identifier, CSS class or file name. `text`: a string literal or JSX text. */
interface SourceText {
  kind: 'name' | 'comment' | 'title' | 'text';
  line: number;
  value: string;
}

export interface Node {
  type: string;
  start: number;
  end: number;
  [field: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

export const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode);

/** The names bound by a pattern: `id` and `classes` for `{ id, groups: classes = [] }`. */
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

/** The names declared by this node, except imports that keep the exported name. */
function declaredNames(node: Node): Node[] {
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
function findTitle(node: Node, source: string): Node | undefined {
  if (node.type !== 'CallExpression') return undefined;
  const callee = source.slice(node.start, (node.callee as Node).end);
  const [title] = node.arguments as Node[];
  return title && /^(test|it|describe)\b/.test(callee) && /^(Literal|TemplateLiteral)$/.test(title.type)
    ? title
    : undefined;
}

/** A string literal or JSX text. */
function findText(node: Node): string | undefined {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type === 'TemplateElement') return (node.value as { cooked: string | null }).cooked ?? '';
  return node.type === 'JSXText' ? String(node.value) : undefined;
}

export const lineAt = (source: string, start: number): number => source.slice(0, start).split('\n').length;

const unwrap = (text: string): string => text.replaceAll(/\s+\*?\s*/g, ' ').trim();

/** Parses one file of TypeScript. Throws when it cannot be parsed. */
export function parseScript(path: string, source: string) {
  const { program, comments, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  return { program: program as unknown as Node, comments };
}

/** Reads one file of TypeScript. Throws when it cannot be parsed. */
export function readScript(path: string, source: string): SourceText[] {
  const { program, comments } = parseScript(path, source);
  const texts: SourceText[] = [];
  const add = (kind: SourceText['kind'], start: number, value: string) =>
    texts.push({ kind, line: lineAt(source, start), value });
  for (const { start, value } of comments) add('comment', start, unwrap(value.replace(/^\*/, '')));
  let titleEnd = 0;
  const visit = (node: Node) => {
    for (const { start, name } of declaredNames(node)) add('name', start, String(name));
    const title = findTitle(node, source);
    if (title) {
      add('title', title.start, source.slice(title.start + 1, title.end - 1));
      titleEnd = title.end;
    }
    const text = findText(node);
    if (text !== undefined && node.start >= titleEnd) add('text', node.start, unwrap(text));
    for (const child of childrenOf(node))
      if (!(/^(Import|Export)/.test(node.type) && child === node.source)) visit(child);
  };
  visit(program);
  return texts;
}

/** Reads the classes and comments of a style sheet. */
export const readStyles = (source: string): SourceText[] =>
  [...source.matchAll(/\/\*([^]*?)\*\/|\.([a-zA-Z][\w-]*)/g)].map(({ index, 1: comment, 2: name }) => ({
    line: lineAt(source, index),
    ...(comment === undefined
      ? { kind: 'name' as const, value: name ?? '' }
      : { kind: 'comment' as const, value: unwrap(comment) }),
  }));

/** Reads the prose of a Markdown file line by line, without code. */
export function readMarkdown(source: string): SourceText[] {
  let isCode = false;
  return source.split('\n').flatMap((line, index) => {
    if (line.startsWith('```')) isCode = !isCode;
    const value = line.replaceAll(/`[^`]*`|\]\([^)]*\)/g, '');
    return isCode || value.trim() === '' ? [] : [{ kind: 'text' as const, line: index + 1, value }];
  });
}
