/**
 * The web app is one page for several users: what a module remembers outlives a log out. Lists module state, which
 * `resetForSession` must clear unless it is not about a user.
 */
import { childrenOf, lineAt, type Node, parseScript } from './read-names.ts';

/** Names by file, each with `reset` where the file clears it in `onSessionReset`, or the reason why it can stay. */
export type StateList = Readonly<Record<string, Readonly<Record<string, string>>>>;

const INSPECTED = /^web\/(src\/.*|[\w-]+)\.tsx?$/;
const NOT_INSPECTED = /(\.test\.tsx?$|\.d\.ts$|^web\/src\/testing\/)/;

/** Classes whose objects remember something even if nothing in the file changes them. */
const STORES = /^(WeakMap|WeakSet|QueryClient|EventTarget|BroadcastChannel|AbortController|AsyncLocalStorage)$/;
/** Functions that return a store, or remember what they have computed. */
const STORE_MAKERS = /^(createStore|createQueryClient|create|atom|signal|observable|proxy|once|memoize)$/;
const COLLECTIONS = /^(Map|Set)$/;
const CHANGES = /^(add|set|delete|clear|push|pop|shift|unshift|splice|sort|reverse|fill)$/;

interface State {
  name: string;
  line: number;
}

const listNodes = (node: Node): Node[] => [node, ...childrenOf(node).flatMap(listNodes)];

function identifierOf(node: unknown): string {
  const name = (node as Node | undefined)?.name;
  return typeof name === 'string' ? name : '';
}

/** The variable at the start of `found.of.it`. */
function ownerOf(node: Node): string {
  let owner = node;
  while (owner.type === 'MemberExpression') owner = owner.object as Node;
  return identifierOf(owner);
}

/** The names of variables whose content the file changes. */
function findChanged(program: Node): Set<string> {
  const changed = listNodes(program).flatMap((node) => {
    if (node.type === 'AssignmentExpression' && (node.left as Node).type === 'MemberExpression')
      return [ownerOf(node.left as Node)];
    if (node.type === 'UpdateExpression' || (node.type === 'UnaryExpression' && node.operator === 'delete'))
      return [ownerOf(node.argument as Node)];
    if (node.type !== 'CallExpression') return [];
    const callee = node.callee as Node;
    if (callee.type !== 'MemberExpression') return [];
    const isAssign = identifierOf(callee.object) === 'Object' && identifierOf(callee.property) === 'assign';
    const [target] = node.arguments as Node[];
    if (isAssign && target) return [ownerOf(target)];
    return CHANGES.test(identifierOf(callee.property)) ? [ownerOf(callee.object as Node)] : [];
  });
  return new Set(changed);
}

/** The value of a constant, without `as const` and `satisfies`. */
function valueOf(declarator: Node): Node | undefined {
  let value = (declarator.init ?? undefined) as Node | undefined;
  while (value && /^TS(As|Satisfies|NonNull)Expression$/.test(value.type)) value = value.expression as Node;
  return value;
}

function isState(declarator: Node, changed: ReadonlySet<string>): boolean {
  const value = valueOf(declarator);
  if (!value) return false;
  const made = identifierOf(value.callee);
  if (value.type === 'NewExpression' && STORES.test(made)) return true;
  if (value.type === 'CallExpression' && STORE_MAKERS.test(made)) return true;
  // An empty collection is for filling.
  const isEmpty = COLLECTIONS.test(made) && (value.arguments as Node[]).length === 0;
  return isEmpty || changed.has(identifierOf(declarator.id));
}

/** The module state of one file. Throws when it cannot be parsed. */
export function findModuleState(path: string, source: string): State[] {
  const { program } = parseScript(path, source);
  const changed = findChanged(program);
  return childrenOf(program).flatMap((statement) => {
    const declaration = (statement.declaration ?? statement) as Node;
    if (declaration.type !== 'VariableDeclaration') return [];
    return (declaration.declarations as Node[])
      .filter((declarator) => declaration.kind !== 'const' || isState(declarator, changed))
      .map((declarator) => ({
        name: source
          .slice((declarator.id as Node).start, (declarator.id as Node).end)
          .split(':')[0]!
          .trim(),
        line: lineAt(source, declarator.start),
      }));
  });
}

/** Inspects the web app. Each state must be in the list, and each entry of the list must be needed. */
export function inspectModuleState(
  tree: Readonly<Record<string, string>>,
  list: StateList,
): { files: number; found: number; findings: string[] } {
  const paths = Object.keys(tree).filter((path) => INSPECTED.test(path) && !NOT_INSPECTED.test(path));
  let found = 0;
  const findings = [...new Set([...paths, ...Object.keys(list)])].flatMap((path) => {
    const source = tree[path] ?? '';
    const states = paths.includes(path) ? findModuleState(path, source) : [];
    const entries = list[path] ?? {};
    found += states.length;
    const unlisted = states.filter(({ name }) => !(name in entries));
    const unneeded = Object.keys(entries).filter((name) => states.every((state) => state.name !== name));
    return [
      ...unlisted.map(
        ({ name, line }) =>
          `${path}:${line}: ${name} outlives a log out: clear it in onSessionReset and list it in checks/exceptions.json`,
      ),
      ...unneeded.map((name) => `checks/exceptions.json lists ${name} of ${path}, which is no module state`),
      ...Object.entries(entries).flatMap(([name, reason]) => explainEntry(path, source, name, reason)),
    ];
  });
  return { files: paths.length, found, findings };
}

function explainEntry(path: string, source: string, name: string, reason: string): string[] {
  if (reason === 'reset')
    return source.includes('onSessionReset(') ? [] : [`${path}: ${name} is listed as cleared, without onSessionReset`];
  return reason.length > 20 ? [] : [`checks/exceptions.json: ${name} of ${path} has no reason`];
}
