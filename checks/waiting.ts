/**
 * Tests must not depend on the speed of the machine. They wait with `expect.poll`, or with `waitFor` and `findBy` of
 * Testing Library, whose timeouts are configured once. Reports sleeps, other waits, short timeouts and assertions about
 * measured durations. Processor time may be asserted, because it does not depend on other work of the machine.
 */
import { childrenOf, lineAt, type Node, parseScript } from './read-names.ts';

/** The shortest timeout of a wait. The configurations of Vitest, Testing Library and Playwright set it or a longer one. */
export const MIN_TIMEOUT_MS = 30_000;

const TEST = /(\.(test|spec)\.tsx?$|^e2e\/.*\.ts$|\/testing\/.*\.tsx?$)/;
const TIMEOUTS = new Set(['timeout', 'testTimeout', 'hookTimeout', 'asyncUtilTimeout']);
const COMPARISON = /^toBe(Less|Greater)Than(OrEqual)?$/;
const CLOCK = /\b(performance\.now|Date\.now|process\.hrtime)\b/;
/** Names of durations. A constant such as `DAY_MS` does not match, because it is not measured. */
const DURATION =
  /(^|_)(ms|milliseconds|seconds|duration|elapsed|took)$|[a-z](Ms|Milliseconds|Seconds|Duration|Elapsed)$/;

interface TestSource {
  text(node: Node): string;
  /** The nodes in the order of the source. */
  nodes: Node[];
}

const listNodes = (node: Node): Node[] => [node, ...childrenOf(node).flatMap(listNodes)];

const nameOf = ({ name, value }: Node): string => String(name ?? value);

function readTest(path: string, source: string): TestSource {
  const { program } = parseScript(path, source);
  return { text: ({ start, end }) => source.slice(start, end), nodes: listNodes(program) };
}

/** Whether the file's fake timers include `setTimeout`. */
const fakesTimeouts = ({ nodes, text }: TestSource): boolean =>
  nodes
    .filter((node) => node.type === 'CallExpression' && text(node).startsWith('vi.useFakeTimers('))
    .some((node) => !text(node).includes('toFake') || text(node).includes("'setTimeout'"));

/** Numbers by the constant's name. */
const readNumbers = ({ nodes }: TestSource): Map<string, number> =>
  new Map(
    nodes.flatMap(({ type, id, init }) =>
      type === 'VariableDeclarator' && typeof (init as Node | null)?.value === 'number'
        ? [[nameOf(id as Node), (init as Node).value as number]]
        : [],
    ),
  );

/** The names of variables and functions that contain a reading of the clock, directly or through another one. */
function findMeasured({ nodes, text }: TestSource): Set<string> {
  const declared = nodes.flatMap((node) => {
    const value =
      node.type === 'VariableDeclarator' ? node.init : node.type === 'FunctionDeclaration' ? node.body : null;
    return value ? [{ name: text(node.id as Node), value: value as Node }] : [];
  });
  const measured = new Set<string>();
  let count = -1;
  while (measured.size > count) {
    count = measured.size;
    for (const { name, value } of declared) if (isMeasured(value, measured, text)) measured.add(name);
  }
  return measured;
}

const isMeasured = (node: Node, measured: ReadonlySet<string>, text: TestSource['text']): boolean =>
  CLOCK.test(text(node)) ||
  listNodes(node).some(({ type, name }) => type === 'Identifier' && measured.has(String(name)));

const isDuration = (node: Node, measured: ReadonlySet<string>, text: TestSource['text']): boolean =>
  isMeasured(node, measured, text) ||
  listNodes(node).some(({ type, name }) => type === 'Identifier' && DURATION.test(String(name)));

/** Inspects one test. Throws when it cannot be parsed. */
function inspectTest(path: string, source: string): { line: number; text: string }[] {
  const test = readTest(path, source);
  const { nodes, text } = test;
  const numbers = readNumbers(test);
  const measured = findMeasured(test);
  const hasFakeTimers = fakesTimeouts(test);

  const findFault = (node: Node): string | undefined => {
    const { type } = node;
    if (type === 'ImportDeclaration') {
      const isTimers = /^(node:)?timers\/promises$/.test(nameOf(node.source as Node));
      return isTimers && text(node).includes('setTimeout') ? 'imports a sleep' : undefined;
    }
    if (type === 'Property' && TIMEOUTS.has(nameOf(node.key as Node))) {
      const { value } = node as { value?: Node };
      const milliseconds = typeof value?.value === 'number' ? value.value : numbers.get(String(value?.name));
      return milliseconds !== undefined && milliseconds < MIN_TIMEOUT_MS
        ? `sets a timeout below ${MIN_TIMEOUT_MS} ms: ${text(node)}`
        : undefined;
    }
    if (type !== 'CallExpression') return undefined;
    const callee = node.callee as Node;
    const called = text(callee);
    if (/^vi\.wait(For|Until)$/.test(called)) return `waits with ${called}: use expect.poll`;
    if (/^((globalThis|window)\.)?setTimeout$/.test(called)) return hasFakeTimers ? undefined : 'sets a timer';
    if (called.endsWith('.waitForTimeout')) return 'sleeps with waitForTimeout';
    const isComparison = callee.type === 'MemberExpression' && COMPARISON.test(text(callee.property as Node));
    return isComparison && isDuration(node, measured, text) ? `asserts a duration: ${text(node)}` : undefined;
  };

  return nodes.flatMap((node) => {
    const fault = findFault(node);
    return fault ? [{ line: lineAt(source, node.start), text: fault.replaceAll(/\s+/g, ' ') }] : [];
  });
}

/**
 * Inspects all tests.
 * @param tolerated a file's path, and the reason why its findings stay: "count: reason"
 */
export function inspectWaiting(
  tree: Readonly<Record<string, string>>,
  tolerated: Readonly<Record<string, string>> = {},
): { files: number; findings: string[] } {
  const paths = Object.keys(tree).filter((path) => TEST.test(path));
  const findings = [...new Set([...paths, ...Object.keys(tolerated)])].flatMap((path) => {
    const found = TEST.test(path) ? inspectTest(path, tree[path] ?? '') : [];
    const [, count = '0'] = /^(\d+): .{10}/.exec(tolerated[path] ?? '') ?? [];
    if (found.length > Number(count)) return found.map(({ line, text }) => `${path}:${line}: ${text}`);
    const isExact = path in tolerated ? found.length > 0 && found.length === Number(count) : true;
    return isExact ? [] : [`checks/exceptions.json tolerates ${count} in ${path}: there are ${found.length}`];
  });
  return { files: paths.length, findings };
}
