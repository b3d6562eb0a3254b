/**
 * Project rules that no general tool checks: which files a folder may contain, where SQL may be written, how long a file may
 * be, what must not be committed. Source: ARCHITECTURE.md.
 */

import { featureImports, findFeatureCycles, findFolderPairs, findWrongOrder, GROUPS } from './import-directions.ts';

/** File contents by path from the root. */
export type Tree = Record<string, string>;

export interface Finding {
  rule:
    | 'read'
    | 'folder'
    | 'vocabulary'
    | 'name'
    | 'sql'
    | 'size'
    | 'words'
    | 'cycle'
    | 'direction'
    | 'exceptions'
    | 'migrations';
  path: string;
  text: string;
  level: 'error' | 'warning';
}

/** `structure`: reasons by "rule path". `platformFiles`: files that may open a transaction across schools, with reasons. */
export interface Exceptions {
  structure: Record<string, string>;
  platformFiles: Record<string, string>;
}

/** The features of each group, on the server or the web. */
const FEATURES: Record<(typeof GROUPS)[number], string> = {
  accounts: 'access account devices memberships second-factor sign-in-providers',
  billing: 'billing billing-console card-payments invoices purchases subscriptions',
  school: 'archive classes covers login-cards programs pupils school succession tablets teachers',
  books: 'book-content books catalogue reading-levels',
  reading:
    'class-reading dashboard hard-words lowest-fifth pupil-progress reading-app reading-feed reading-hours reading-needs weekly-digest',
  records: 'exports pupil-import runs school-records year-end',
  privacy: 'data-and-privacy erasure record-views registry retention school-closing subject-access',
  company: 'operators',
  help: 'certificates help',
};
const FEATURE_PATHS = Object.entries(FEATURES).flatMap(([group, names]) =>
  names.split(' ').map((name) => `${group}/${name}`),
);

const FOLDERS: Record<string, string[]> = {
  'server/src': [
    'http',
    'pages',
    'commands',
    'database',
    'backups',
    'jobs',
    'mail',
    'auth',
    'audit',
    'pdf',
    'spreadsheets',
    'lists',
    'workers',
    'logging',
    'observability',
    'setting-checks',
    'features',
    'testing',
  ],
  'web/src': ['shell', 'features', 'ui', 'shared', 'testing'],
};

const KEBAB = '[a-z0-9]+(-[a-z0-9]+)*';
const PASCAL = '[A-Z][A-Za-z0-9]*';
const SERVER_FILE = new RegExp(
  `^${KEBAB}\\.((feature|routes|service|queries|access|registry|jobs|mail|document|public)(\\.test)?|test)\\.ts$`,
);
/** Files from other programs that tests read. */
const FIXTURE = /^fixtures\/[a-z0-9-]+\.(csv|xls|xlsx)$/;
const WEB_FILE = new RegExp(
  `^(${PASCAL}Page(\\.test)?\\.tsx|${PASCAL}Page\\.module\\.css|${KEBAB}\\.((api|public)(\\.test)?|test)\\.tsx?)$`,
);
const WEB_COMPONENT = new RegExp(`^(${PASCAL}(\\.test)?\\.tsx|${PASCAL}\\.module\\.css)$`);
const WEB_MODEL = new RegExp(`^${KEBAB}(\\.test)?\\.tsx?$`);

const VAGUE = /(^|[-.])(utils?|helpers?|common|managers?|misc)([-.]|$)/i;
const CODE = /\.(ts|tsx|mjs|cjs|js|css)$/;
/** Generated files. */
const GENERATED = /(^|\/)generated-[a-z0-9-]+\.ts$/;
const TEST = /(\.test\.tsx?$|^e2e\/|^server\/src\/testing\/)/;

const MAY_HOLD_SQL = /(\.(queries|access|registry)\.ts$|^server\/src\/(database|backups)\/)/;
const SQL = [
  /\.(selectFrom|insertInto|updateTable|deleteFrom|mergeInto|replaceInto)\s*\(/,
  /import\s*(type\s*)?\{[^}]*\bsql\b[^}]*\}\s*from\s*'kysely'/,
  /\.(query|exec)\s*(<[^(]*>)?\(\s*[`'"]\s*(select|insert|update|delete|with|create|alter|drop|set)\b/i,
];

/** Each has its reason in `platformFiles`. Lower this number when one goes; raise it for what cannot belong to one school. */
export const MAX_PLATFORM_FILES = 40;

export const LONG = 250;
export const TOO_LONG = 400;

/** Written in two parts, so that this file does not break the rule itself. */
const joinAlternatives = (...parts: [string, string][]) => parts.map((part) => part.join('')).join('|');
const FORBIDDEN: [RegExp, string][] = [
  [
    new RegExp(
      `(?<![\\w.$}-])/(${joinAlternatives(['wo', 'rk'], ['ro', 'ot'], ['Us', 'ers/\\w+'], ['ho', 'me/\\w+'])})/`,
    ),
    'a path of one machine',
  ],
  [
    new RegExp(
      joinAlternatives(
        ['registry\\.', '(npmjs|yarnpkg|npmmirror)'],
        ['\\b(deb|security|ftp)\\.', 'debian\\.org'],
        ['files\\.', 'pythonhosted'],
      ),
    ),
    'the host of a package registry',
  ],
];
const RESOLVED = /^\s*"resolved": "https?:/m;

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

function* checkFolders(path: string): Generator<Omit<Finding, 'path'>> {
  for (const [root, folders] of Object.entries(FOLDERS)) {
    if (!path.startsWith(`${root}/`)) continue;
    const [folder, ...below] = path.slice(root.length + 1).split('/');
    if (folder && below.length > 0 && !folders.includes(folder))
      yield { rule: 'folder', level: 'error', text: `${root}/ has the folders ${folders.join(', ')}` };
  }
}

function* checkVocabulary(path: string): Generator<Omit<Finding, 'path'>> {
  const [, side, feature, rest] = /^(server|web)\/src\/features\/([^/]+(?:\/[^/]+)?)(?:\/(.+))?$/.exec(path) ?? [];
  if (!side || !feature) return;
  if (!rest || !FEATURE_PATHS.includes(feature))
    yield { rule: 'folder', level: 'error', text: `features must be named ${FEATURE_PATHS.join(', ')}` };
  else if (side === 'server' && !SERVER_FILE.test(rest) && !FIXTURE.test(rest))
    yield {
      rule: 'vocabulary',
      level: 'error',
      text: 'files of a server feature must be named NAME.feature|routes|service|queries|access|registry|jobs|mail|document|public|test.ts',
    };
  else if (side === 'web') {
    const component = /^components\/(.+)$/.exec(rest)?.[1];
    const model = /^model\/(.+)$/.exec(rest)?.[1];
    const allowed = component ? WEB_COMPONENT.test(component) : model ? WEB_MODEL.test(model) : WEB_FILE.test(rest);
    if (!allowed)
      yield {
        rule: 'vocabulary',
        level: 'error',
        text: 'a web feature has NamePage.tsx, NamePage.module.css, name.api|public.ts, tests, components/ (only components) and model/ (functions and hooks)',
      };
  }
}

function* checkName(path: string): Generator<Omit<Finding, 'path'>> {
  if (!/^(contract|server|web|seeds|bench|e2e|checks|scripts)\//.test(path)) return;
  if (path.split('/').some((part) => VAGUE.test(part)))
    yield {
      rule: 'name',
      level: 'error',
      text: 'name it after its contents, not utils, helpers, common, manager or misc',
    };
  if (/^index\.[cm]?[jt]sx?$/.test(nameOf(path)))
    yield { rule: 'name', level: 'error', text: 'index files that re-export others are not allowed' };
}

function* checkSql(path: string, content: string): Generator<Omit<Finding, 'path'>> {
  if (!/^(contract|server|web|seeds|bench)\/.*\.tsx?$/.test(path) || TEST.test(path) || MAY_HOLD_SQL.test(path)) return;
  const found = SQL.map((pattern) => pattern.exec(content)?.[0]).find(Boolean);
  if (found)
    yield {
      rule: 'sql',
      level: 'error',
      text: `SQL belongs in .queries.ts, .access.ts, .registry.ts, server/src/database/ and server/src/backups/ only: ${found.replaceAll(/\s+/g, ' ')}`,
    };
}

function* checkSize(path: string, content: string): Generator<Omit<Finding, 'path'>> {
  if (!CODE.test(path) || TEST.test(path) || GENERATED.test(path) || path.startsWith('content/')) return;
  const lines = content.split('\n').length - 1;
  if (lines > TOO_LONG) yield { rule: 'size', level: 'error', text: `${lines} lines; the limit is ${TOO_LONG}` };
  // A released migration cannot be split.
  else if (lines > LONG && !path.includes('/migrations/'))
    yield { rule: 'size', level: 'warning', text: `${lines} lines: consider splitting it` };
}

function* checkWords(path: string, content: string): Generator<Omit<Finding, 'path'>> {
  if (content.includes('\0')) return;
  for (const [pattern, what] of FORBIDDEN) {
    const found = pattern.exec(content);
    if (!found) continue;
    const line = content.slice(0, found.index).split('\n').length;
    yield { rule: 'words', level: 'error', text: `line ${line} contains ${what}` };
  }
  if (nameOf(path) === 'package-lock.json' && RESOLVED.test(content))
    yield { rule: 'words', level: 'error', text: 'contains download URLs: set omit-lockfile-registry-resolved' };
}

function* checkRead(tree: Tree): Generator<Finding> {
  for (const root of ['contract/src/', 'server/src/', 'web/src/'])
    if (!Object.keys(tree).some((path) => path.startsWith(root)))
      yield { rule: 'read', path: root, level: 'error', text: 'no file was read' };
}

const MIGRATION = /^server\/src\/database\/migrations\/(\d{4}_\w+)\.ts$/;

/** A migration that is not listed never runs. */
function* checkMigrations(tree: Tree): Generator<Finding> {
  const list = 'server/src/database/migrations.ts';
  for (const path of Object.keys(tree)) {
    const name = MIGRATION.exec(path)?.[1];
    if (name && !tree[list]?.includes(`'${name}':`))
      yield { rule: 'migrations', path, level: 'error', text: `is not listed in ${list}, so it never runs` };
  }
}

/** The roots whose features must not import each other in cycles. */
const WITHOUT_CYCLES = ['server/src', 'web/src'];

function* checkFeatureCycles(tree: Tree): Generator<Finding> {
  for (const root of WITHOUT_CYCLES)
    for (const cycle of findFeatureCycles(featureImports(tree, root)))
      yield { rule: 'cycle', path: `${root}/features`, level: 'error', text: `features import each other: ${cycle}` };
}

/** Folders that import each other, and groups that import a later one, cannot be understood one after the other. */
function* checkDirections(tree: Tree): Generator<Finding> {
  const path = 'server/src';
  for (const pair of findFolderPairs(tree))
    yield { rule: 'direction', path, level: 'error', text: `these folders import each other: ${pair}` };
  for (const wrong of findWrongOrder(featureImports(tree, path)))
    yield {
      rule: 'direction',
      path: `${path}/features`,
      level: 'error',
      text: `a group imports only those before it (${GROUPS.join(', ')}): ${wrong}`,
    };
}

function* checkExceptions(
  tree: Tree,
  { structure, platformFiles }: Exceptions,
  needed: Set<string>,
): Generator<Finding> {
  const path = 'checks/exceptions.json';
  for (const [exception, reason] of Object.entries({ ...structure, ...platformFiles }))
    if (reason.trim().length < 10)
      yield { rule: 'exceptions', path, level: 'error', text: `"${exception}" has no reason` };
  for (const exception of Object.keys(structure))
    if (!needed.has(exception))
      yield { rule: 'exceptions', path, level: 'error', text: `"${exception}" is no longer needed: remove it` };
  for (const file of Object.keys(platformFiles))
    if (!/from '[^']*\/platform\.ts'/.test(tree[file] ?? ''))
      yield { rule: 'exceptions', path, level: 'error', text: `"${file}" does not use platform.ts: remove it` };
  const fileCount = Object.keys(platformFiles).length;
  if (fileCount > MAX_PLATFORM_FILES)
    yield {
      rule: 'exceptions',
      path,
      level: 'error',
      text: `platformFiles has ${fileCount} files, and at most ${MAX_PLATFORM_FILES} may open transactions across schools`,
    };
}

/** Lists every broken rule, except the exceptions. */
export function inspectStructure(tree: Tree, exceptions: Exceptions): Finding[] {
  const all: Finding[] = Object.entries(tree).flatMap(([path, content]) =>
    [
      ...checkFolders(path),
      ...checkVocabulary(path),
      ...checkName(path),
      ...checkSql(path, content),
      ...checkSize(path, content),
      ...checkWords(path, content),
    ].map((finding) => ({ ...finding, path })),
  );
  const keyOf = ({ rule, path }: Finding) => `${rule} ${path}`;
  const needed = new Set(all.map(keyOf));
  return [
    ...checkRead(tree),
    ...checkMigrations(tree),
    ...checkFeatureCycles(tree),
    ...checkDirections(tree),
    ...all.filter((finding) => !(keyOf(finding) in exceptions.structure)),
    ...checkExceptions(tree, exceptions, needed),
  ];
}
