import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { shots } from './pictures.ts';
import { scenes } from './videos.ts';

const ROOT = join(import.meta.dirname, '..');
const RECORD = join(ROOT, 'content/help/made-from.json');

/** All pictures and videos of the help, by their names. */
export const all = { ...shots, ...scenes };

/** What each was made from: a hash of its screens' files. */
const madeFrom = JSON.parse(readFileSync(RECORD, 'utf8')) as Record<string, string>;

function hashOf(features: readonly string[]): string {
  const hash = createHash('sha256');
  for (const feature of features)
    for (const path of globSync(`web/src/features/${feature}/**/*.{tsx,css}`, { cwd: ROOT }).sort())
      hash.update(path).update(readFileSync(join(ROOT, path)));
  return hash.digest('hex').slice(0, 16);
}

/** Those whose screens have changed since they were made, and those that were never made. */
export const listStale = (): string[] =>
  Object.entries(all).flatMap(([name, { features }]) => (madeFrom[name] === hashOf(features) ? [] : [name]));

/** Notes that one is of now. */
export function keep(name: string): void {
  madeFrom[name] = hashOf(all[name]!.features);
  const sorted = Object.fromEntries(Object.entries(madeFrom).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(RECORD, `${JSON.stringify(sorted, null, 2)}\n`);
}
