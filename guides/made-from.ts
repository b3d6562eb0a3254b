import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { shots } from './pictures.ts';
import { scenes } from './videos.ts';

const ROOT = join(import.meta.dirname, '..');
const RECORD = join(ROOT, 'content/help/made-from.json');

/** All pictures and videos of the help, by name. */
export const all = { ...shots, ...scenes };

/** The hash of each picture's or video's screen files when it was made. */
const madeFrom = JSON.parse(readFileSync(RECORD, 'utf8')) as Record<string, string>;

function hashOf(features: readonly string[]): string {
  const hash = createHash('sha256');
  for (const feature of features)
    for (const path of globSync(`web/src/features/${feature}/**/*.{tsx,css}`, { cwd: ROOT }).sort())
      hash.update(path).update(readFileSync(join(ROOT, path)));
  return hash.digest('hex').slice(0, 16);
}

/** Lists those whose screens have changed since they were made, and those never made. */
export const listStale = (): string[] =>
  Object.entries(all).flatMap(([name, { features }]) => (madeFrom[name] === hashOf(features) ? [] : [name]));

/** Records that one is up to date. */
export function keep(name: string): void {
  madeFrom[name] = hashOf(all[name]!.features);
  const sorted = Object.fromEntries(Object.entries(madeFrom).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(RECORD, `${JSON.stringify(sorted, null, 2)}\n`);
}
