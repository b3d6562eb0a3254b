import { loadModule } from 'libpg-query';
import { beforeAll, expect, test } from 'vitest';
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
  ['insert into classes (school_id, name) select $1, name from unnest($2::text[]) as name', []],
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
    'delete from year_ends where ctid = any (array(select ctid from year_ends where carried_out_at < $1 limit 5))',
    'rows of a school table are named by ctid',
  ],
  ["begin; set local app.school_id = '7'", 'a SET stands in a text of several statements'],
])('%s breaks a rule', (text, rule) => expect(inspectStatement(text).breaches.join()).toContain(rule));

test('rows of a platform table may be named by ctid', () =>
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
