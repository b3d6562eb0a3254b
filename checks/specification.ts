/**
 * The statements of both specifications. docs/specification.tsv names for each the tests that fail when the product breaks
 * it, or what the product does instead. docs/deviations.md is generated from the second kind.
 */
import { childrenOf, type Node, parseScript } from './read-names.ts';
import type { Tree } from './structure.ts';

export const LIST = 'docs/specification.tsv';
export const PAGE = 'docs/deviations.md';

/** A test by its file and its title, with the titles of its `describe` before it where a file has the title twice. */
export interface NamedTest {
  file: string;
  title: string;
}

/** `number` is `Access 2.14` or `Operations 7.3`: document, section, and the statement's place in the section. */
export interface Statement {
  number: string;
  statement: string;
  tests: NamedTest[];
  /** What the product does instead, why, since when, and the heading under which the page lists it; empty if it follows. */
  instead: string;
  why: string;
  since: string;
  subject: string;
}

/** How many statements each section has, so that none can be removed unnoticed. */
export type SectionSizes = Readonly<Record<string, number>>;

const COLUMNS = ['number', 'statement', 'test', 'instead', 'why', 'since', 'subject'] as const;
const SUBJECTS = [
  'Accounts and login',
  'The school’s state',
  'Staff and classes',
  'Pupils and books',
  'Help',
  'Left open by the specifications',
];
const NUMBER = /^(Access|Operations) ([1-9])\.(\d+)$/;
const TEST_FILE = /\.(test\.tsx?|spec\.ts)$/;
const DATE = /^\d{1,2} (January|February|March|April|May|June|July|August|September|October|November|December) 20\d\d$/;

const readTest = (text: string): NamedTest => {
  const [file = '', ...title] = text.split(': ');
  return { file: file.trim(), title: title.join(': ').trim() };
};

/** Reads the list without its header. */
export const readStatements = (list: string): Statement[] =>
  list
    .split('\n')
    .slice(1)
    .filter(Boolean)
    .map((line) => {
      const [number = '', statement = '', test = '', instead = '', why = '', since = '', subject = ''] =
        line.split('\t');
      const tests = test === '' ? [] : test.split(' && ').map(readTest);
      return { number, statement, tests, instead, why, since, subject };
    });

const sectionOf = (number: string): string => number.replace(/\.\d+$/, '');

/** The title of a test or `describe` as the source has it: `%s` and `${name}` stay. */
function titleOf(node: Node, source: string): { title: string; isTest: boolean } | undefined {
  if (node.type !== 'CallExpression') return undefined;
  const callee = source.slice(node.start, (node.callee as Node).end);
  const [title] = node.arguments as Node[];
  if (!title || !/^(test|it|describe)\b(?!\.step)/.test(callee)) return undefined;
  const isTest = !/^(test\.)?describe\b/.test(callee);
  if (title.type === 'Literal' && typeof title.value === 'string') return { title: title.value, isTest };
  return title.type === 'TemplateLiteral' ? { title: source.slice(title.start + 1, title.end - 1), isTest } : undefined;
}

/** The tests in a file, each with the titles around it: `describe title > test title`. */
export function listTests(path: string, source: string): string[] {
  const tests: string[] = [];
  const visit = (node: Node, around: string[]) => {
    const found = titleOf(node, source);
    const titles = found ? [...around, found.title] : around;
    if (found?.isTest) tests.push(titles.join(' > '));
    for (const child of childrenOf(node)) visit(child, titles);
  };
  visit(parseScript(path, source).program, []);
  return tests;
}

function* checkTests({ number, tests }: Statement, tree: Tree, testsIn: (path: string) => string[]): Generator<string> {
  for (const { file, title } of tests) {
    if (!TEST_FILE.test(file) || !tree[file]) {
      yield `${number}: there is no test file ${file}`;
      continue;
    }
    const matches = testsIn(file).filter((test) => test === title || test.endsWith(` > ${title}`));
    if (matches.length === 0) yield `${number}: ${file} has no test “${title}”`;
    else if (matches.length > 1)
      yield `${number}: ${file} has “${title}” ${matches.length} times; write the title of its describe before it: ${matches[0]}`;
  }
}

function* checkFields({ number, statement, tests, instead, why, since, subject }: Statement): Generator<string> {
  if (!NUMBER.test(number)) yield `${number || 'a line without a number'}: write “Access 2.14” or “Operations 7.3”`;
  if (statement === '') yield `${number}: the statement is missing`;
  if (tests.length === 0 && instead === '')
    yield `${number}: name a test that fails when this breaks, or say what the product does instead`;
  const decision = [instead, why, since, subject].filter(Boolean).length;
  if (decision > 0 && decision < 4) yield `${number}: a deviation says what instead, why, since when and its subject`;
  if (since !== '' && !DATE.test(since)) yield `${number}: write the date as “26 November 2026”`;
  if (subject !== '' && !SUBJECTS.includes(subject)) yield `${number}: the subjects are ${SUBJECTS.join(', ')}`;
}

function* checkNumbers(statements: readonly Statement[], sizes: SectionSizes): Generator<string> {
  const seen = statements.map(({ number }) => number);
  const expected = Object.entries(sizes).flatMap(([section, size]) =>
    Array.from({ length: size }, (_, index) => `${section}.${index + 1}`),
  );
  for (const number of expected) if (!seen.includes(number)) yield `${number}: the statement has been removed`;
  for (const [index, number] of seen.entries()) {
    if (seen.indexOf(number) !== index) yield `${number}: there are two lines`;
    else if (!expected.includes(number) && NUMBER.test(number))
      yield `${number}: raise the number of statements of ${sectionOf(number)} in docs/specification-sizes.json`;
  }
}

/** Checks the list and the page generated from it. Files that do not exist are missing from `tree` or empty. */
export function inspectSpecification(tree: Tree, sizes: SectionSizes): { read: number; findings: string[] } {
  const list = tree[LIST] ?? '';
  const statements = readStatements(list);
  const cache = new Map<string, string[]>();
  const testsIn = (path: string) => {
    const known = cache.get(path) ?? listTests(path, tree[path] ?? '');
    cache.set(path, known);
    return known;
  };
  const header = list.split('\n')[0] === COLUMNS.join('\t') ? [] : [`${LIST}: the columns are ${COLUMNS.join(', ')}`];
  const isStale = tree[PAGE] !== printDeviations(statements);
  return {
    read: statements.length,
    findings: [
      ...header,
      ...checkNumbers(statements, sizes),
      ...statements.flatMap((statement) => [...checkFields(statement), ...checkTests(statement, tree, testsIn)]),
      ...(isStale ? [`${PAGE} is not what ${LIST} generates: npm run deviations`] : []),
    ],
  };
}

/** A test that ran: the titles around it and its own, joined as in the list. */
export interface RanTest extends NamedTest {
  passed: boolean;
}

/** Matches the titles that a title in the source has at run time. */
function patternOf(title: string): RegExp {
  const literal = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const parts = title.split(/%[sdifjoO#$%]|\$\{[^}]*\}|\$[A-Za-z_][\w.]*/);
  return new RegExp(`(^| > )${parts.map(literal).join('.*')}$`, 's');
}

/** The statements with a test that did not run, or failed. */
export function findBroken(
  statements: readonly Statement[],
  ran: readonly RanTest[],
): { number: string; text: string }[] {
  const byFile = Map.groupBy(ran, ({ file }) => file);
  return statements.flatMap(({ number, statement, tests }) =>
    tests.flatMap(({ file, title }) => {
      const pattern = patternOf(title);
      const runs = (byFile.get(file) ?? []).filter((test) => pattern.test(test.title));
      const text = `${statement}\n${file}: ${title}`;
      if (runs.length === 0) return [{ number: `${number} did not run`, text }];
      return runs.every(({ passed }) => passed) ? [] : [{ number: `${number} is broken`, text }];
    }),
  );
}

const INTRODUCTION = `# Where we deviate from the specifications

The two specifications are the contract. Each row is a statement that the product does not follow to the letter: what it does instead, why, and since when. The last table has what the specifications leave open, and what we chose. A change that adds a deviation adds its row in the same commit.

This page is generated: change [specification.tsv](specification.tsv), which lists every statement with its test, then run \`npm run deviations\`. The API reference (\`/v1/docs\`) lists the errors of each call, and the OpenAPI document has an example of each error with a code.

*Access* is the specification of access and billing, *Operations* that of school operations; the number is the section, then the statement.
`;

const cell = (text: string): string => text.replaceAll('|', String.raw`\|`);

/** The page of deviations, as Markdown. */
export function printDeviations(statements: readonly Statement[]): string {
  const tables = SUBJECTS.map((subject) => {
    const rows = statements
      .filter((statement) => statement.subject === subject)
      .map(({ number, statement, instead, why, since }) => [`${number}: ${statement}`, instead, why, since]);
    if (rows.length === 0) return '';
    const lines = [['statement', 'what we do instead', 'why', 'since'], ['---', '---', '---', '---'], ...rows];
    return `\n## ${subject}\n\n${lines.map((line) => `| ${line.map(cell).join(' | ')} |`).join('\n')}\n`;
  });
  return INTRODUCTION + tables.join('');
}
