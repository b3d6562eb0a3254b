/** Features must not import each other in cycles, so that each can be read, and removed, on its own. */

const FEATURE = /^((?:web|server)\/src)\/features\/([^/]+)\//;
const IMPORTED = /(?:from|import)\s*\(?\s*'(\.[^']+)'/g;

/** Each feature of `web/src` or `server/src` with the features that it imports, ignoring tests. */
export function featureImports(tree: Readonly<Record<string, string>>, root: string): Map<string, Set<string>> {
  const imports = new Map<string, Set<string>>();
  for (const [path, content] of Object.entries(tree)) {
    const [, ownRoot, feature] = FEATURE.exec(path) ?? [];
    if (ownRoot !== root || !feature || !/\.tsx?$/.test(path) || /\.test\.tsx?$/.test(path)) continue;
    const targets = imports.get(feature) ?? new Set();
    imports.set(feature, targets);
    for (const [, source = ''] of content.matchAll(IMPORTED)) {
      const target = FEATURE.exec(new URL(source, `file:///${path}`).pathname.slice(1))?.[2];
      if (target && target !== feature) targets.add(target);
    }
  }
  return imports;
}

/** The import cycles between features, each once: `access → school → access`. */
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
