import { loadModule } from 'libpg-query';
import { beforeAll, expect, test } from 'vitest';
import { isPreparable } from '../database/postgres-client.ts';
import { inspectStatement } from './cluster-rules.ts';

beforeAll(() => loadModule());

test.each([
  ['select * from pupils where school_id = $1', []],
  ['select * from pupils where $1::bigint = school_id', []],
  ['select * from pupils', ['pupils']],
  ['select * from pupils where school_id = $1 or id = $2', ['pupils']],
  ['select * from schools where id = $1', []],
  ['select * from schools where name = $1', ['schools']],
  ['select * from pupils p join classes c on c.school_id = p.school_id where p.school_id = $1', ['classes']],
  ['select * from pupils p left join classes c on c.school_id = $1 and c.id = p.class_id where p.school_id = $1', []],
  [
    'select (select count(*) from pupils p where p.school_id = c.school_id) from classes c where c.school_id = $1',
    ['pupils'],
  ],
  ['select 1 from pupil_books where school_id = $1 union select 1 from class_books', ['class_books']],
  ['with pupils as (select 1) select * from pupils', []],
  ['update classes set name = $1 where id = $2', ['classes']],
  ['update classes set name = $1 where school_id = 7 and id = $2', []],
  ['delete from classes using pupils p where classes.school_id = $1 and p.class_id = classes.id', ['pupils']],
  ['insert into classes (school_id, name) values ($1, $2), (7, $3)', []],
  ['insert into classes (name) values ($1)', ['classes']],
  ['insert into classes (school_id, name) select $1, name from unnest($2::text[]) as name returning id', []],
  ['insert into classes (school_id, name) select id, name from schools where id = $1', ['classes']],
  ['select * from books join book_tags on book_id = id', []],
  ['select * from pgboss.job', []],
])('%s leaves unbound: %j', (text, unbound) => expect(inspectStatement(text).unbound).toEqual(unbound));

test.each([
  [
    'select * from staff m join users u on u.id = m.user_id where m.school_id = $1',
    'platform tables and school tables',
  ],
  ['select * from users where exists (select from staff where school_id = $1)', 'platform tables and school tables'],
  [
    'delete from runs where ctid = any (array(select ctid from runs where created_at < $1 limit 5))',
    'rows of a school table are named by ctid',
  ],
  ["begin; set local app.school_id = '7'", 'a SET is in a text of several statements'],
  ['insert into classes (school_id, name) select $1, name from unnest($2::text[]) as name', 'has no returning'],
  [
    'insert into class_books (school_id, class_id, book_id) select $1, $2, id from books on conflict do nothing',
    'has no returning',
  ],
  [
    'with gone as (delete from pupils where school_id = $1 returning id) select count(*) from gone',
    'a common table expression of a school’s statement writes',
  ],
])('%s breaks a rule', (text, rule) => expect(inspectStatement(text).breaches.join()).toContain(rule));

test.each([
  'update pupils set password_hash = g.hash from unnest($2::text[]) as g (hash) where school_id = $1',
  'delete from class_teachers t using classes c where t.school_id = $1 and c.school_id = $1 and c.id = t.class_id',
])('%s is sent without a name', (text) => {
  expect(isPreparable(text)).toBe(false);
  expect(inspectStatement(text).breaches).toEqual([]);
});

test('a joining write that would be prepared breaks a rule', () =>
  // The comment hides it from the pattern by which names are given.
  expect(
    inspectStatement('/* fast */ update pupils set name = c.name from classes c where pupils.school_id = $1').breaches,
  ).toContain('an update … from or delete … using of a school table is prepared by name'));

test('an insert … select that returns its rows breaks no rule', () =>
  expect(
    inspectStatement(
      'insert into classes (school_id, name) select $1, name from unnest($2::text[]) as name returning id',
    ).breaches,
  ).toEqual([]));

test('rows of a platform table may be selected by ctid', () =>
  expect(inspectStatement('delete from outbox where ctid = $1').breaches).toEqual([]));

test.each([
  ['select * from pupils where school_id = $1', { readsSchool: true, writesSchool: false }],
  ['with gone as (delete from pupils where school_id = $1) select 1', { readsSchool: true, writesSchool: true }],
  ['update users set email = $1', { readsSchool: false, writesSchool: false }],
  ['set local role portal_school', { takesRole: 'school' }],
  ['set local role none', { takesRole: 'platform' }],
  ['begin', { transaction: 'begin' }],
  ['rollback', { transaction: 'end' }],
  ['savepoint a', { transaction: undefined }],
])('%s is understood', (text, part) => expect(inspectStatement(text)).toMatchObject(part));
