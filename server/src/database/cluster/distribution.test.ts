import { expect, test } from 'vitest';
import { testApp } from '../../testing/app.ts';
import { CATALOGUE_TABLES, SCHOOL_TABLES } from '../table-kinds.ts';
import { type ClusterState, readCluster } from './cluster.queries.ts';
import { findDistributionFaults, findObstacles, planDistribution, planTruncation } from './distribution.ts';

const app = testApp();

const node = (name: string, nodeNumber: number) => ({ name, isActive: true, nodeNumber });
const KEY = {
  table: 'class_books',
  name: 'class_books_book_id_fkey',
  definition: 'FOREIGN KEY (book_id) REFERENCES books(id)',
};
const cluster = (change: Partial<ClusterState> = {}): ClusterState => ({
  extension: '13.2',
  nodes: [node('a:5432', 1), node('b:5432', 2)],
  missingRoles: { 'a:5432': [], 'b:5432': [] },
  spread: {},
  shards: null,
  localBytes: {},
  catalogueKeys: [KEY],
  ...change,
});
const spread = Object.fromEntries([
  ...CATALOGUE_TABLES.map((table) => [table, 'reference' as const]),
  ...SCHOOL_TABLES.map((table) => [table, 7] as const),
]);

test('the distribution of a database without the extension is rejected, and its keys to the catalogue are found', async () => {
  const state = await readCluster(app.database.kysely);
  expect(findObstacles(state)).toEqual([expect.stringContaining('The extension citus is not in this database')]);
  expect(state.catalogueKeys.map(({ table, definition }) => [table, definition.slice(0, 11)])).toEqual(
    expect.arrayContaining([
      ['class_books', 'FOREIGN KEY'],
      ['reading_sessions', 'FOREIGN KEY'],
      ['subscriptions', 'FOREIGN KEY'],
    ]),
  );
});

test('the distribution over a complete cluster is accepted', () => expect(findObstacles(cluster())).toEqual([]));

test.each<[string, Partial<ClusterState>, string]>([
  ['no worker', { nodes: [] }, 'no worker'],
  ['a worker that is not active', { nodes: [{ ...node('a:5432', 1), isActive: false }] }, 'a:5432 is not active'],
  ['a worker that does not answer', { missingRoles: { 'a:5432': [], 'b:5432': null } }, 'b:5432 does not answer'],
  ['a worker that is not among those that answered', { missingRoles: { 'a:5432': [] } }, 'b:5432 does not answer'],
  [
    'a role missing on a worker',
    { missingRoles: { 'a:5432': ['portal_school'], 'b:5432': [] } },
    'a:5432 lacks the role portal_school',
  ],
  ['a worker whose ids would be too large', { nodes: [node('a:5432', 32)] }, 'too large'],
])('the distribution over a cluster with %s is rejected', (_, change, words) => {
  expect(findObstacles(cluster(change))).toEqual([expect.stringContaining(words)]);
});

test('the distribution begins with the catalogue, then the schools and what references them, and restores keys to the catalogue', () => {
  const plan = planDistribution(cluster());
  expect(plan[0]).toBe("set local citus.multi_shard_modify_mode = 'sequential'");
  const at = (text: string) => plan.findIndex((statement) => statement.includes(text));
  const order = [
    at('drop constraint class_books_book_id_fkey'),
    at("create_reference_table('books')"),
    at("create_distributed_table('schools', 'id')"),
    at("create_distributed_table('staff', 'school_id', colocate_with => 'schools')"),
    at("create_distributed_table('class_books'"),
    at('add constraint class_books_book_id_fkey FOREIGN KEY (book_id) REFERENCES books(id)'),
  ];
  expect(order.every((index) => index > 0)).toBe(true);
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  expect(plan).toHaveLength(1 + 2 + CATALOGUE_TABLES.length + SCHOOL_TABLES.length);
});

test('a second distribution does nothing, or distributes only the table of a later version', () => {
  expect(planDistribution(cluster({ spread }))).toEqual([]);
  const { login_sheets: _, ...older } = spread;
  expect(planDistribution(cluster({ spread: older })).slice(1)).toEqual([
    "select create_distributed_table('login_sheets', 'school_id', colocate_with => 'schools')",
  ]);
});

test('a distributed table that is not colocated with the schools is reported, and a catalogue table that is no reference table', () => {
  expect(findDistributionFaults(cluster({ spread }))).toEqual([]);
  expect(findDistributionFaults(cluster({ spread: { ...spread, pupils: 8, books: 9 } }))).toEqual([
    'books is not on every machine',
    'pupils is not colocated with schools',
  ]);
});

test('the number of shards is set with the first distribution alone, and another number is reported', () => {
  expect(planDistribution(cluster(), 128)[1]).toBe('set local citus.shard_count = 128');
  const { login_sheets: _, ...older } = spread;
  expect(planDistribution(cluster({ spread: older, shards: 32 }), 128)).not.toContain(
    'set local citus.shard_count = 128',
  );
  expect(findDistributionFaults(cluster({ spread, shards: 128 }), 128)).toEqual([]);
  expect(findDistributionFaults(cluster({ spread, shards: 32 }), 128)).toEqual([
    'The school tables have 32 shards, not 128. The number cannot be changed by this command.',
  ]);
});

test('rows that remain on the coordinator of a cluster are reported and deleted', () => {
  const state = cluster({ spread, localBytes: { pupils: 8192, books: 0 } });
  expect(findDistributionFaults(state)).toEqual(['pupils still has 8192 bytes of rows on the coordinator']);
  expect(planTruncation(state)).toEqual([
    'grant truncate on audit_log, audit_seals, audit_chains to current_user',
    "select truncate_local_data_after_distributing_table('pupils')",
    'revoke truncate on audit_log, audit_seals, audit_chains from current_user',
  ]);
  expect(planTruncation(cluster({ spread, localBytes: { pupils: 0 } }))).toEqual([]);
});
