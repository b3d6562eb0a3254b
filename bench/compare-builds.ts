import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Build, type Builds, type Comparison, isMissed, showComparisons } from './builds/comparison.ts';
import { compareListUnderLoad } from './builds/list-under-load.ts';
import { compareRendering } from './builds/rendering.ts';
import { compareVisits } from './builds/visits.ts';
import { Portal } from './harness/portal.ts';
import { cleanUpOnSignal, freePort, killAll, makeFolder, ROOT } from './harness/program.ts';
import { storeComparisons } from './harness/results.ts';

/*
 * node bench/compare-builds.ts OTHER_TREE: compares the web app of this work tree with that of another, in alternating
 * rounds. Both must be installed and built: git worktree add OTHER_TREE COMMIT, then in it npm ci and npx vite build.
 * --rounds 7. --only NAME,NAME: some of rendering, visits and list. A full run stores the table in RESULTS.md.
 */
const QUESTIONS = { rendering: compareRendering, visits: compareVisits, list: compareListUnderLoad };

const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: '7' }, only: { type: 'string' } },
  allowPositionals: true,
});
const [otherTree] = positionals;
if (!otherTree) throw new Error('Name the work tree to compare with.');
const chosen = values.only?.split(',') ?? Object.keys(QUESTIONS);
if (chosen.some((name) => !(name in QUESTIONS))) throw new Error(`--only takes ${Object.keys(QUESTIONS).join(', ')}.`);

/** Serves the portal of a work tree with the demonstration schools, on an embedded database. */
async function serveBuild(root: string): Promise<Build> {
  const settings = { DATA_DIR: makeFolder(), MAX_EVENT_LOOP_DELAY: '0' };
  const { url } = await new Portal(await freePort(), settings, { root }).start();
  return { root, url };
}

cleanUpOnSignal(killAll);
const comparisons: Comparison[] = [];
try {
  const builds: Builds = { other: await serveBuild(resolve(otherTree)), own: await serveBuild(ROOT) };
  for (const [name, compare] of Object.entries(QUESTIONS)) {
    if (!chosen.includes(name)) continue;
    console.error(`Comparing ${name} …`);
    comparisons.push(...(await compare(builds, Number(values.rounds))));
  }
} finally {
  await killAll();
}
const table = showComparisons(comparisons);
console.log(table);
if (!values.only) storeComparisons(table);
process.exitCode = comparisons.some(isMissed) ? 1 : 0;
