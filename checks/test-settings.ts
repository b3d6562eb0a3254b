/**
 * Tests run what users run: a test, journey or bench changes a setting only if server/src/testing/test-settings.ts lists
 * it with a reason.
 */
import { parseSettings, type SettingName, settingNames } from '../server/src/settings.ts';
import type { OwnSettings, SharedSetting } from '../server/src/testing/test-settings.ts';
import { childrenOf, lineAt, type Node, parseScript } from './read-names.ts';

const LIST = 'server/src/testing/test-settings.ts';
const INSPECTED = /(\.(test|spec)\.tsx?$|^(e2e|bench|guides)\/.*\.ts$|\/testing\/.*\.tsx?$)/;

const isSettingName = (name: unknown): name is SettingName => settingNames.includes(name as SettingName);

/** The name of an identifier, or the text of a literal. */
const nameOf = (node: unknown): unknown => (node as Node | undefined)?.name ?? (node as Node | undefined)?.value;

/** The name of the variable that this node sets: a property of an object, an assignment or a stub. */
function findSetName(node: Node): unknown {
  if (node.type === 'Property') return nameOf(node.key);
  if (node.type === 'AssignmentExpression') return nameOf((node.left as Node).property);
  const isStub = node.type === 'CallExpression' && nameOf((node.callee as Node).property) === 'stubEnv';
  return isStub ? nameOf((node.arguments as Node[])[0]) : undefined;
}

interface SetSetting {
  setting: SettingName;
  line: number;
  /** `LOG_LEVEL=warn`, or the name alone when the value is no literal. */
  text: string;
}

/** The settings that a file sets. Throws when it cannot be parsed. */
function listSettings(path: string, source: string): SetSetting[] {
  const found: SetSetting[] = [];
  const visit = (node: Node) => {
    // Destructuring reads a setting.
    if (node.type === 'ObjectPattern') return;
    const setting = findSetName(node);
    if (isSettingName(setting)) {
      const { value } = (node.value ?? {}) as { value?: unknown };
      const text = typeof value === 'string' ? `${setting}=${value}` : setting;
      found.push({ setting, line: lineAt(source, node.start), text });
    }
    childrenOf(node).forEach(visit);
  };
  visit(parseScript(path, source).program);
  return found;
}

const isListed = ({ settings, files }: OwnSettings, path: string, setting: string): boolean =>
  files.includes(path) && (settings === 'all' || (settings as readonly string[]).includes(setting));

/** Inspects all tests, journeys and benches. `list`: the settings that they change, as text. */
export function inspectTestSettings(
  tree: Readonly<Record<string, string>>,
  shared: readonly SharedSetting[],
  own: readonly OwnSettings[],
): { files: number; list: string[]; findings: string[] } {
  const paths = Object.keys(tree).filter((path) => INSPECTED.test(path) && path !== LIST);
  const set = paths.flatMap((path) => listSettings(path, tree[path] ?? '').map((setting) => ({ path, ...setting })));
  const defaults = parseSettings({}).settings as Record<string, unknown>;

  const unlisted = set
    .filter(({ path, setting }) => !own.some((entry) => isListed(entry, path, setting)))
    .map(({ path, line, setting }) => `${path}:${line}: sets ${setting}, which ${LIST} does not list for this file`);
  const unused = own.flatMap((entry) => {
    const { settings, files } = entry;
    const used = set.filter(({ path, setting }) => isListed(entry, path, setting));
    return [
      ...files.filter((file) => !used.some(({ path }) => path === file)),
      ...(settings === 'all' ? [] : settings.filter((name) => !used.some(({ setting }) => setting === name))),
    ].map((name) => `${LIST}: ${name} is no longer needed with the reason "${entry.reason}"`);
  });
  const unchanged = shared
    .filter(({ setting, tests, journeys }) => [tests, journeys].includes(String(defaults[setting])))
    .map(({ setting }) => `${LIST}: ${setting} has its default`);
  const unexplained = [...shared, ...own]
    .filter(({ reason }) => reason.trim().length < 10)
    .map((entry) => `${LIST}: ${'setting' in entry ? entry.setting : String(entry.settings)} has no reason`);

  const list = [
    ...shared.map(({ setting, tests = '(default)', journeys = '(default)', reason }) => {
      return `${setting}=${tests} in server tests; ${setting}=${journeys} in journeys. ${reason}`;
    }),
    ...own.map((entry) => {
      const uses = entry.files.map((file) => {
        const texts = set.filter(({ path, setting }) => path === file && isListed(entry, file, setting));
        const what = entry.settings === 'all' ? 'all settings' : [...new Set(texts.map(({ text }) => text))].join(', ');
        return `${what} in ${file}`;
      });
      return `${uses.join('; ')}. ${entry.reason}`;
    }),
  ];
  return { files: paths.length, list, findings: [...unlisted, ...unused, ...unchanged, ...unexplained] };
}
