// Builds the web app when its sources have changed.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runOrExplain } from './remedies.mjs';
import { runAlone } from './run-alone.mjs';
import { log, root, seconds, tool, toolEnv } from './setup.mjs';

const WEB_SOURCES = ['web', 'contract', 'content/help', 'vite.config.ts', 'package-lock.json'];

/** A hash of the content and not of file times, so that a fresh clone or another branch does not cause a build. */
function hashOfWebSources() {
  const hash = createHash('sha256');
  const add = (path) => {
    const full = join(root, path);
    if (!existsSync(full)) return;
    if (statSync(full).isDirectory()) {
      for (const name of readdirSync(full).sort()) add(`${path}/${name}`);
    } else hash.update(`\0${path}\0`).update(readFileSync(full));
  };
  WEB_SOURCES.forEach(add);
  return hash.digest('hex');
}

const isBuiltFrom = (stamp, hash) => existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;

/** Builds the web app into dist/, unless dist/ was built from the same sources. */
export async function buildWeb() {
  const stamp = join(root, 'dist', '.built-from');
  const hash = hashOfWebSources();
  if (isBuiltFrom(stamp, hash)) return;
  await runAlone(() => build(stamp, hash));
}

async function build(stamp, hash) {
  if (isBuiltFrom(stamp, hash)) return;
  const start = performance.now();
  log('Building the web app (once, and after web/ or contract/ changed) …');
  const [command, vite] = tool('vite');
  const env = { ...toolEnv, NODE_ENV: 'production' };
  // An interrupted build leaves no stamp.
  rmSync(stamp, { force: true });
  await runOrExplain('The build of the web app', command, [vite, 'build', '--logLevel', 'warn'], { env });
  writeFileSync(stamp, hash);
  log(`The web app is built (${seconds(start)}).`);
}
