import { describe, expect, it } from 'vitest';
import { featureImports, findFeatureCycles, findFolderPairs, findWrongOrder } from './import-directions.ts';
import { type Exceptions, inspectStructure, LONG, MAX_PLATFORM_FILES, TOO_LONG, type Tree } from './structure.ts';

const NO_EXCEPTIONS: Exceptions = { structure: {}, platformFiles: {} };

const SOUND: Tree = {
  'contract/src/calls/pupils.ts': 'export const listPupils = 1;\n',
  'server/src/main.ts': 'start();\n',
  'server/src/features/school/pupils/pupils.queries.ts': "db.tx.selectFrom('pupil');\n",
  'server/src/features/school/pupils/pupils.service.ts': 'export const rename = 1;\n',
  'server/src/features/school/teachers/invites.routes.ts': 'export const routes = [];\n',
  'server/src/features/school/pupils/pupils.test.ts': "db.tx.selectFrom('pupil');\n",
  'server/src/database/school.ts': "import { type Kysely, sql } from 'kysely';\n",
  'web/src/features/school/pupils/PupilPage.tsx': 'export function PupilPage() {}\n',
  'web/src/features/school/pupils/PupilPage.module.css': '.page { }\n',
  'web/src/features/school/pupils/pupils.api.ts': 'export const pupil = 1;\n',
  'web/src/features/school/pupils/components/PupilBox.tsx': 'export function PupilBox() {}\n',
  'package-lock.json': '{ "node_modules/zod": { "version": "4.6.7" } }\n',
};

const rulesBroken = (more: Tree, exceptions = NO_EXCEPTIONS) =>
  inspectStructure({ ...SOUND, ...more }, exceptions).map(({ rule, level }) =>
    level === 'error' ? rule : `(${rule})`,
  );

const lines = (count: number) => 'x();\n'.repeat(count);

describe('inspectStructure', () => {
  it('finds nothing in a correct tree', () => {
    expect(inspectStructure(SOUND, NO_EXCEPTIONS)).toEqual([]);
  });

  it('fails when it reads nothing', () => {
    expect(inspectStructure({}, NO_EXCEPTIONS).filter(({ level }) => level === 'error')).toHaveLength(3);
  });

  it('finds a migration that is not listed, and so never runs', () => {
    const migration = { 'server/src/database/migrations/0140_houses.ts': 'export const up = 1;\n' };
    expect(rulesBroken(migration)).toEqual(['migrations']);
    const list = "const migrations = {\n  '0140_houses': houses,\n};\n";
    expect(rulesBroken({ ...migration, 'server/src/database/migrations.ts': list })).toEqual([]);
  });

  it.each([
    ['folder', 'server/src/services/pupils.ts', ''],
    ['folder', 'web/src/hooks/use-pupil.ts', ''],
    ['folder', 'server/src/features/school/readers/readers.routes.ts', ''],
    ['folder', 'server/src/features/pupils/pupils.routes.ts', ''],
    ['folder', 'web/src/features/pupils.ts', ''],
    ['vocabulary', 'server/src/features/school/pupils/pupils.controller.ts', ''],
    ['vocabulary', 'server/src/features/school/pupils/pupils.ts', ''],
    ['vocabulary', 'server/src/features/school/pupils/more/pupils.routes.ts', ''],
    ['vocabulary', 'web/src/features/school/pupils/PupilScreen.tsx', ''],
    ['vocabulary', 'web/src/features/school/pupils/components/pupil_box.tsx', ''],
    ['name', 'web/src/shared/date-utils.ts', ''],
    ['name', 'server/src/http/helpers/text.ts', ''],
    ['name', 'web/src/ui/index.ts', ''],
    ['sql', 'server/src/features/school/pupils/pupils.service.ts', "db.tx\n  .selectFrom('pupil');\n"],
    ['sql', 'server/src/features/school/pupils/pupils.routes.ts', "import { sql } from 'kysely';\n"],
    ['sql', 'server/src/jobs/queue.ts', "import { type Kysely, sql } from 'kysely';\n"],
    ['sql', 'seeds/demo.ts', "await client.query('select 1');\n"],
    ['size', 'server/src/http/pipeline.ts', lines(TOO_LONG + 1)],
    ['(size)', 'server/src/http/pipeline.ts', lines(LONG + 1)],
    ['words', 'scripts/start.mjs', `import('${['', 'work', 'main'].join('/')}');\n`],
    ['words', 'README.md', `Get it from ${['registry', 'npmjs', 'org'].join('.')}.\n`],
    ['words', 'package-lock.json', '{\n  "resolved": "https://somewhere/zod.tgz"\n}\n'],
  ])('finds %s in %s', (rule, path, content) => {
    expect(rulesBroken({ [path]: content })).toEqual([rule]);
  });

  it('allows tests to be long and contain SQL', () => {
    expect(rulesBroken({ 'server/src/http/every-call.test.ts': `${lines(900)}db.tx.deleteFrom('pupil');\n` })).toEqual(
      [],
    );
  });

  it('does not mistake a path of the product for one of a machine', () => {
    expect(rulesBroken({ 'web/src/paths.ts': "const a = '/homework/', b = `${base}/work/`;\n" })).toEqual([]);
  });

  it('accepts an exception with a reason for as long as it is needed', () => {
    const path = 'server/src/http/pipeline.ts';
    const because = (reason: string) => ({ ...NO_EXCEPTIONS, structure: { [`size ${path}`]: reason } });
    expect(rulesBroken({ [path]: lines(500) }, because('One request, read from top to bottom.'))).toEqual([]);
    expect(rulesBroken({ [path]: lines(500) }, because(''))).toEqual(['exceptions']);
    expect(rulesBroken({ [path]: lines(5) }, because('One request, read from top to bottom.'))).toEqual(['exceptions']);
  });

  it('finds a file that may access all schools but does not', () => {
    const exceptions = {
      ...NO_EXCEPTIONS,
      platformFiles: { 'server/src/main.ts': 'It starts the jobs of all schools.' },
    };
    expect(rulesBroken({}, exceptions)).toEqual(['exceptions']);
    expect(
      rulesBroken({ 'server/src/main.ts': "import { inPlatform } from './database/platform.ts';\n" }, exceptions),
    ).toEqual([]);
  });

  it('rejects a list of platform files that has grown', () => {
    const paths = Array.from({ length: MAX_PLATFORM_FILES + 1 }, (_, index) => `server/src/jobs/job-${index}.ts`);
    const tree = Object.fromEntries(
      paths.map((path) => [path, "import { inPlatform } from '../database/platform.ts';\n"]),
    );
    const listed = (some: string[]) => ({
      ...NO_EXCEPTIONS,
      platformFiles: Object.fromEntries(some.map((path) => [path, 'It starts the jobs of all schools.'])),
    });
    expect(rulesBroken(tree, listed(paths))).toEqual(['exceptions']);
    expect(rulesBroken(tree, listed(paths.slice(1)))).toEqual([]);
  });
});

describe('the cycle rule', () => {
  const pupils = 'web/src/features/school/pupils/pupils.api.ts';
  const classes = 'web/src/features/school/classes/classes.public.ts';
  const reading = 'web/src/features/reading/pupil-progress/components/Box.tsx';

  it('finds features that import each other, directly or through others', () => {
    const tree = {
      [pupils]: "import { a } from '../classes/classes.public.ts';\n",
      [classes]: "export { Box } from '../../reading/pupil-progress/pupil-progress.public.ts';\n",
      [reading]: "const page = import('../../../school/pupils/pupils.public.ts');\n",
    };
    expect(findFeatureCycles(featureImports(tree, 'web/src'))).toEqual([
      'school/pupils → school/classes → reading/pupil-progress → school/pupils',
    ]);
    expect(rulesBroken(tree)).toContain('cycle');
    const onTheServer = {
      'server/src/features/school/classes/classes.routes.ts': "import { a } from '../pupils/pupils.public.ts';\n",
      'server/src/features/school/pupils/pupils.queries.ts': "import { b } from '../classes/classes.public.ts';\n",
    };
    expect(rulesBroken(onTheServer)).toContain('cycle');
  });

  it('allows features that import others without a cycle, and cycles through tests', () => {
    const tree = {
      [pupils]:
        "import { a } from '../classes/classes.public.ts';\nimport { b } from '../../reading/pupil-progress/pupil-progress.public.ts';\n",
      [classes]:
        "import { b } from '../../reading/pupil-progress/pupil-progress.public.ts';\nimport { c } from '../../../shared/can.ts';\n",
      'web/src/features/school/classes/model/a.test.ts': "import { a } from '../../pupils/pupils.public.ts';\n",
    };
    expect([...featureImports(tree, 'web/src').get('school/pupils')!]).toEqual([
      'school/classes',
      'reading/pupil-progress',
    ]);
    expect(rulesBroken(tree)).toEqual([]);
  });
});

describe('the directions of imports', () => {
  it('finds two folders of the server that import each other, except in tests', () => {
    const tree = {
      'server/src/audit/audit-log.ts': "import { inSchool } from '../database/school.ts';\n",
      'server/src/database/platform.ts': "import type { Entry } from '../audit/audit-log.ts';\n",
    };
    expect(findFolderPairs(tree)).toEqual(['audit ↔ database']);
    expect(rulesBroken(tree)).toEqual(['direction']);
    const { 'server/src/database/platform.ts': content } = tree;
    const inTest = { ...tree, 'server/src/database/platform.ts': '', 'server/src/database/platform.test.ts': content };
    expect(rulesBroken(inTest)).toEqual([]);
  });

  it('finds a group of the server that imports a later one; on the web groups are free', () => {
    const from = (side: 'server' | 'web') => ({
      [`${side}/src/features/billing/invoices/invoices.public.ts`]:
        "export { name } from '../../school/school/school.public.ts';\n",
    });
    expect(findWrongOrder(featureImports(from('server'), 'server/src'))).toEqual(['billing/invoices → school/school']);
    expect(rulesBroken(from('server'))).toEqual(['direction']);
    expect(rulesBroken(from('web'))).toEqual([]);
  });
});
