import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { logIn, openBrowser, type Visit, visit } from './harness/browser.ts';
import { Portal } from './harness/portal.ts';
import { cleanUpOnSignal, freePort, killAll, makeFolder, ROOT } from './harness/program.ts';
import { median } from './harness/rounds.ts';

/*
 * node bench/compare-builds.ts OTHER_TREE [--rounds 7]: compares the web app of this work tree with that of
 * another, in alternating rounds, on a slow processor and connection.
 * Each tree serves its own build with the demonstration schools, so both must be
 * installed and built: git worktree add OTHER_TREE COMMIT, then in it npm ci and npx vite build.
 */
const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: '7' } },
  allowPositionals: true,
});
const [otherTree] = positionals;
if (!otherTree) throw new Error('Name the work tree to compare with.');

const STAFF = { email: 'head@willowbank.example', password: 'reading-1' };
/** The path of each page, and an element of its main content. */
const PAGES = {
  Dashboard: { path: '/', content: 'main h2' },
  Class: { path: '/classes/2', content: 'tbody a[href*="/pupils/"]' },
  Pupils: { path: '/pupils', content: 'tbody a[href*="/pupils/"]' },
};

/** Serves the portal of a work tree with the demonstration schools, on an embedded database. */
const serveTree = async (root: string): Promise<Portal> =>
  new Portal(await freePort(), { DATA_DIR: makeFolder(), MAX_EVENT_LOOP_DELAY: '0' }, { root }).start();

cleanUpOnSignal(killAll);
const portals = [await serveTree(resolve(otherTree)), await serveTree(ROOT)];
const browser = await openBrowser();
const visits = new Map<string, [Visit[], Visit[]]>();
try {
  const contexts = await Promise.all(portals.map(() => browser.newContext()));
  for (const [index, context] of contexts.entries()) await logIn(context, portals[index]!.url, STAFF);
  for (let round = 0; round < Number(values.rounds); round += 1)
    for (const [name, { path, content }] of Object.entries(PAGES))
      for (const isCold of [true, false])
        for (const [index, context] of contexts.entries()) {
          const key = `${name}, ${isCold ? 'cold' : 'warm'}`;
          const both = visits.get(key) ?? [[], []];
          both[index]!.push(await visit(context, portals[index]!.url + path, content, isCold));
          visits.set(key, both);
        }
} finally {
  await browser.close();
  await killAll();
}

const rowOf = (both: [Visit[], Visit[]], figure: keyof Visit, digits: number): string =>
  both.map((all) => median(all.map((round) => round[figure])).toFixed(digits)).join(' | ');
console.log('| Page | Rows visible, other | this (ms) | Blocked, other | this (ms) | Layout shift, other | this |');
console.log('| --- | --- | --- | --- | --- | --- | --- |');
for (const [name, both] of visits)
  console.log(`| ${name} | ${rowOf(both, 'rows', 0)} | ${rowOf(both, 'blocked', 0)} | ${rowOf(both, 'shift', 3)} |`);
