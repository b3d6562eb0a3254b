/**
 * Who imports whom. Features form no cycle, so that each can be read, and removed, on its own. On the server a group of
 * features imports only groups before it, and no two folders import each other.
 */

/** The groups of features. On the server each imports only those before it. */
export const GROUPS = [
  'accounts',
  'billing',
  'school',
  'books',
  'reading',
  'records',
  'privacy',
  'company',
  'help',
] as const;

const FEATURE = /^((?:web|server)\/src)\/features\/([^/]+\/[^/]+)\//;
const FOLDER = /^server\/src\/([^/]+)\//;
const IMPORTED = /(?:from|import)\s*\(?\s*'(\.[^']+)'/g;

type Imports = Map<string, Set<string>>;

/** What each part of a tree imports of other parts, ignoring tests. `partOf` names the part that a path belongs to. */
function importsBetween(tree: Readonly<Record<string, string>>, partOf: (path: string) => string | undefined): Imports {
  const imports: Imports = new Map();
  for (const [path, content] of Object.entries(tree)) {
    const part = partOf(path);
    if (!part || !/\.tsx?$/.test(path) || /\.test\.tsx?$/.test(path)) continue;
    const targets = imports.get(part) ?? new Set();
    imports.set(part, targets);
    for (const [, source = ''] of content.matchAll(IMPORTED)) {
      const target = partOf(new URL(source, `file:///${path}`).pathname.slice(1));
      if (target && target !== part) targets.add(target);
    }
  }
  return imports;
}

/** Each feature of `web/src` or `server/src`, as `group/feature`, with the features that it imports. */
export const featureImports = (tree: Readonly<Record<string, string>>, root: string): Imports =>
  importsBetween(tree, (path) => {
    const [, ownRoot, feature] = FEATURE.exec(path) ?? [];
    return ownRoot === root ? feature : undefined;
  });

/** The import cycles between features, each once: `accounts/access → school/school → accounts/access`. */
export function findFeatureCycles(imports: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const cycles = new Map<string, string>();
  const walk = (path: readonly string[]) => {
    for (const next of imports.get(path.at(-1) ?? '') ?? []) {
      const start = path.indexOf(next);
      if (start === -1) walk([...path, next]);
      else {
        const cycle = path.slice(start);
        const key = cycle.toSorted().join();
        if (!cycles.has(key)) cycles.set(key, [...cycle, next].join(' → '));
      }
    }
  };
  for (const feature of imports.keys()) walk([feature]);
  return [...cycles.values()];
}

/** The imports of features of the server from a group that comes after their own: `billing/invoices → school/school`. */
export function findWrongOrder(imports: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const placeOf = (feature: string) => (GROUPS as readonly string[]).indexOf(feature.split('/')[0] ?? '');
  return [...imports].flatMap(([feature, targets]) =>
    [...targets].filter((target) => placeOf(target) > placeOf(feature)).map((target) => `${feature} → ${target}`),
  );
}

/** The pairs of folders of the server that import each other: `audit ↔ database`. All features are one folder. */
export function findFolderPairs(tree: Readonly<Record<string, string>>): string[] {
  const imports = importsBetween(tree, (path) => {
    const folder = FOLDER.exec(path)?.[1];
    return folder === 'testing' ? undefined : folder;
  });
  return [...imports].flatMap(([folder, targets]) =>
    [...targets]
      .filter((target) => folder < target && imports.get(target)?.has(folder))
      .map((target) => `${folder} ↔ ${target}`),
  );
}
