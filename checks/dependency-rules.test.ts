import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

const PUPILS = 'server/src/features/school/pupils';

/** A tree that breaks each rule once, with many valid imports. */
const TREE: Record<string, string> = {
  'contract/src/call.ts': "import { z } from 'zod'; export const call = z;",
  'contract/src/clock.ts': "import { join } from 'node:path'; export const clock = join;",
  'server/src/app.ts':
    "import { feature } from './features/school/pupils/pupils.feature.ts'; import { routes } from './features/school/pupils/pupils.routes.ts'; export const app = [feature, routes];",
  'server/src/start.ts': `import { list } from './features/school/pupils/pupils.queries.ts'; export const start = list;`,
  'server/src/database/platform-db.ts': 'export interface PlatformDb { all: true }',
  'server/src/database/platform.ts': 'export const inPlatform = 1;',
  'server/src/http/error-answers.ts':
    "import { list } from '../features/school/pupils/pupils.public.ts'; export const errors = list;",
  'server/src/testing/app.ts': 'export const testApp = 1;',
  [`${PUPILS}/pupils.queries.ts`]: 'export const list = 1;',
  [`${PUPILS}/pupils.public.ts`]: "export { list } from './pupils.queries.ts';",
  [`${PUPILS}/pupils.access.ts`]: "import type { Rename } from './pupils.service.ts'; export type Own = Rename;",
  [`${PUPILS}/pupils.service.ts`]: "import type { Own } from './pupils.access.ts'; export type Rename = Own | 1;",
  [`${PUPILS}/pupils.jobs.ts`]: "import { testApp } from '../../../testing/app.ts'; export const jobs = testApp;",
  [`${PUPILS}/pupils.mail.ts`]: "import { paths } from '../../../../../web/src/paths.ts'; export const mail = paths;",
  [`${PUPILS}/pupils.feature.ts`]: "import { routes } from './pupils.routes.ts'; export const feature = routes;",
  [`${PUPILS}/pupil-tags.queries.ts`]:
    "import { errors } from '../../../http/error-answers.ts'; export const tags = errors;",
  [`${PUPILS}/pupils.routes.ts`]: "import { call } from '#contract/call.ts'; export const routes = [call];",
  'server/src/features/school/classes/classes.service.ts':
    "import { list } from '../pupils/pupils.public.ts'; export const classes = list;",
  'server/src/features/school/classes/classes.queries.ts':
    "import { list } from '../pupils/pupils.queries.ts'; export const classes = list;",
  'server/src/features/school/classes/classes.routes.ts':
    "import { inPlatform } from '../../../database/platform.ts'; export const all = inPlatform;",
  'server/src/features/school/classes/classes.jobs.ts':
    "import type { PlatformDb } from '../../../database/platform-db.ts'; export type All = PlatformDb;",
  'web/src/paths.ts': 'export const paths = 1;',
  'web/src/main.tsx': "import { app } from '#server/app.ts'; export const main = <p>{app}</p>;",
  'web/src/routes.tsx': "export const routes = () => import('./features/school/pupils/PupilPage.tsx');",
  'web/src/features/school/pupils/PupilPage.tsx':
    "import { nothing } from './Nothing.tsx'; export const Page = <>{nothing}</>;",
  'web/src/shared/router.ts': "export { useLocation } from 'react-router';",
  'web/src/shared/use-place.ts': "import { useLocation } from 'react-router'; export const usePlace = useLocation;",
  'web/src/ui/Box.tsx': "import { Page } from '../features/school/pupils/PupilPage.tsx'; export const Box = Page;",
};

const EXPECTED = [
  'all-schools-only-for-the-listed server/src/features/school/classes/classes.routes.ts',
  'contract-stands-alone contract/src/clock.ts',
  'features-through-public server/src/features/school/classes/classes.queries.ts',
  'features-to-outsiders-through-public server/src/start.ts',
  'machinery-knows-no-feature server/src/http/error-answers.ts',
  `no-cycles ${PUPILS}/pupils.access.ts`,
  `no-tests-in-the-product ${PUPILS}/pupils.jobs.ts`,
  `queries-know-no-http ${PUPILS}/pupil-tags.queries.ts`,
  'resolvable web/src/features/school/pupils/PupilPage.tsx',
  'router-through-one-module web/src/shared/use-place.ts',
  `server-not-to-web ${PUPILS}/pupils.mail.ts`,
  'ui-knows-no-feature web/src/ui/Box.tsx',
  'web-not-to-server web/src/main.tsx',
];

interface Report {
  modules: { source: string }[];
  summary: { violations: { from: string; rule: { name: string } }[] };
}

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'portal-rules-'));
  for (const [path, content] of Object.entries(TREE)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), `${content}\n`);
  }
  copyFileSync('package.json', join(folder, 'package.json'));
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
});

afterAll(() => rmSync(folder, { recursive: true }));

it('reports each broken rule once, and reads every file', async () => {
  const program = resolve('node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const args = ['contract', 'server', 'web', '--config', resolve('checks/dependency-rules.cjs'), '-T', 'json'];
  // The exit code is the number of broken rules.
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], { cwd: folder }).catch(
    (error: { stdout: string }) => error,
  );
  const { modules, summary } = JSON.parse(stdout) as Report;
  expect(modules.map(({ source }) => source)).toEqual(expect.arrayContaining(Object.keys(TREE)));
  expect(summary.violations.map(({ rule, from }) => `${rule.name} ${from}`).sort()).toEqual(EXPECTED);
});
