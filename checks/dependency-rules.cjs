// Who may import whom: ARCHITECTURE.md. Run by `npm run check`, which also asserts that every file was read.
const swc = require('@swc/core');
const { platformFiles } = require('./exceptions.json');

// dependency-cruiser reads TypeScript 7 through swc, and forgets to tell it which files hold JSX.
const { parseFileSync } = swc;
swc.parseFileSync = (file, options) => parseFileSync(file, { ...options, tsx: file.endsWith('.tsx') });

const machinery =
  '^server/src/(http|pages|auth|audit|database|backups|jobs|mail|pdf|spreadsheets|workers|logging|observability|setting-checks)/';
const tests = '\\.test\\.tsx?$';
const exactly = (paths) => paths.map((path) => `^${path.replaceAll('.', '\\.')}$`);

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'web-not-to-server',
      comment: 'The web app knows the server by the contract alone.',
      severity: 'error',
      from: { path: '^web/' },
      to: { path: '^(server|seeds|bench)/' },
    },
    {
      name: 'server-not-to-web',
      comment: 'The server knows nothing of screens.',
      severity: 'error',
      from: { path: '^(server|seeds|bench)/' },
      to: { path: '^web/' },
    },
    {
      name: 'contract-stands-alone',
      comment: 'The contract imports zod and itself.',
      severity: 'error',
      from: { path: '^contract/', pathNot: tests },
      to: { pathNot: ['^contract/', '(^|/)node_modules/zod/'] },
    },
    {
      name: 'features-through-public',
      comment: "A feature takes from another feature only what that one's .public.ts offers.",
      severity: 'error',
      from: { path: '^(server|web)/src/features/([^/]+/[^/]+)/' },
      to: { path: '^$1/src/features/', pathNot: ['^$1/src/features/$2/', '\\.public\\.tsx?$'] },
    },
    {
      name: 'features-to-outsiders-through-public',
      comment:
        'Code outside the features imports their .feature.ts, .public.ts and pages; app.ts also their .routes.ts, routes.tsx their first queries, worker.ts what runs in workers.',
      severity: 'error',
      // The bench sends the features' own SQL without the features around it.
      from: {
        path: '^(server/src|seeds|web/src)/',
        pathNot: ['/features/', '^server/src/(app|worker)\\.ts$', '^web/src/routes\\.tsx$', tests],
      },
      to: {
        path: '/src/features/',
        pathNot: ['\\.public\\.tsx?$', '\\.feature\\.ts$', '/[A-Z]\\w*Page\\.tsx$'],
      },
    },
    {
      name: 'machinery-knows-no-feature',
      comment: 'Machinery has no words of the domain; app.ts puts the two together.',
      severity: 'error',
      from: { path: machinery, pathNot: tests },
      to: { path: '/features/' },
    },
    {
      name: 'queries-know-no-http',
      comment: 'SQL needs no request: types of services and sessions are in context.ts, errors in errors.ts.',
      severity: 'error',
      from: { path: '\\.queries\\.ts$' },
      to: { path: '^server/src/http/', pathNot: '\\.queries\\.ts$' },
    },
    {
      name: 'ui-knows-no-feature',
      comment: 'Parts that every screen may use know none of them.',
      severity: 'error',
      from: { path: '^web/src/ui/' },
      to: { path: '^web/src/(features|shell)/' },
    },
    {
      name: 'shared-knows-no-screen',
      comment:
        'Session, client and formats are below the components that show them: ui imports shared, never the other way.',
      severity: 'error',
      from: { path: '^web/src/shared/', pathNot: tests },
      to: { path: '^web/src/(ui|features|shell)/' },
    },
    {
      name: 'router-through-one-module',
      comment: 'An upgrade of the router breaks in one place.',
      severity: 'error',
      from: { path: '^web/', pathNot: '^web/src/shared/router\\.ts$' },
      to: { path: '(^|/)node_modules/react-router/' },
    },
    {
      name: 'no-tests-in-the-product',
      comment: 'What runs in a school does not import what tests it.',
      severity: 'error',
      from: { path: '^(contract|server|web)/', pathNot: [tests, '/testing/'] },
      to: { path: ['^(server|web)/src/testing/', tests, '^seeds/.*\\.test\\.ts$'] },
    },
    {
      name: 'all-schools-only-for-the-listed',
      comment:
        'platform.ts opens transactions across schools: checks/exceptions.json lists the files that may import it.',
      severity: 'error',
      from: { pathNot: [...exactly(Object.keys(platformFiles)), tests, '^server/src/(database|backups|testing)/'] },
      to: { path: '^server/src/database/platform\\.ts$' },
    },
    {
      name: 'no-cycles',
      comment: 'Files that import each other cannot be understood one by one.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'resolvable',
      comment: 'An import that is not found hides from every other rule.',
      severity: 'error',
      from: { pathNot: 'node_modules/' },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    doNotFollow: { path: 'node_modules/' },
    exclude: { path: '^(dist|test-results)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
    },
  },
};
