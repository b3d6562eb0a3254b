import { sql } from 'kysely';
import { copiedTables, findCopy, isWithheld, orderOf, type Person } from './copies.registry.ts';
import { namePeople } from '../../../audit/audit-log.queries.ts';
import { inIds } from '../../../database/in-ids.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import { withPlatform } from '../../../database/platform.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { kindOf, type TableName } from '../../../database/table-kinds.ts';

/** A table with rows about a person: the columns of the copy, and those that order its rows, with their SQL types. */
export interface CopiedTable {
  table: TableName;
  columns: readonly string[];
  order: readonly { name: string; type: string }[];
}

/** A row of a copy: values of the columns as the database driver returns them. */
export type CopiedRow = Record<string, unknown>;

/** Rows of a copy, and the position after them; undefined after the last rows. */
export interface CopiedRows {
  rows: CopiedRow[];
  next: readonly string[] | undefined;
}

/** The tables with rows about a person of this kind. */
export async function describeCopiedTables(db: SchoolDb, kind: Person['kind']): Promise<CopiedTable[]> {
  const tables = copiedTables(kind);
  const { rows } = await sql<{ table: TableName; column: string; type: string; place: number | null }>`
    select c.relname as table, a.attname as column, format_type(a.atttypid, a.atttypmod) as type,
      array_position(i.indkey::int2[], a.attnum) as place
    from pg_attribute a join pg_class c on c.oid = a.attrelid
      join pg_index i on i.indrelid = c.oid and i.indisprimary
    where c.relnamespace = 'public'::regnamespace and c.relname = any(${tables}::text[]) and a.attnum > 0
      and not a.attisdropped
    order by a.attnum`.execute(db.tx);
  const byTable = Map.groupBy(rows, ({ table }) => table);
  return tables.map((table) => {
    const columns = byTable.get(table) ?? [];
    const key = columns
      .filter(({ place }) => place !== null)
      .sort((a, b) => Number(a.place) - Number(b.place))
      .map(({ column }) => column);
    return {
      table,
      columns: columns
        .filter(({ column, type }) => type !== 'bytea' && column !== 'school_id' && !isWithheld(table, column, kind))
        .map(({ column }) => column),
      order: (orderOf(table) ?? key).map((name) => ({
        name,
        type: columns.find(({ column }) => column === name)?.type ?? 'text',
      })),
    };
  });
}

/**
 * The next rows about a person in a table, in the table's order.
 * @param after where the rows before ended; undefined for the first ones
 */
export async function readCopiedRows(
  db: SchoolDb,
  { table, columns, order }: CopiedTable,
  person: Person,
  after: readonly string[] | undefined,
  limit: number,
): Promise<CopiedRows> {
  const condition = findCopy(table, person.kind);
  if (typeof condition !== 'function') throw new Error(`${table} is not copied.`);
  const kind = kindOf(table);
  const read = async ({ tx }: SchoolDb | PlatformDb): Promise<CopiedRows> => {
    const isOfSchool = kind === 'school' || (person.kind === 'pupil' && kind === 'platform');
    const conditions = [
      ...(isOfSchool ? [sql`${sql.ref(table === 'schools' ? 'id' : 'school_id')} = ${db.schoolId}`] : []),
      condition(person, db.schoolId),
      ...(after
        ? [
            sql`(${sql.join(order.map(({ name }) => sql.ref(name)))}) > (${sql.join(
              order.map(({ type }, index) => sql`${after[index] ?? null}::text::${sql.raw(type)}`),
            )})`,
          ]
        : []),
    ];
    const selected = [
      ...columns.map((column) => sql.ref(column)),
      ...order.map(({ name }, index) => sql`${sql.ref(name)}::text as ${sql.ref(cursorName(index))}`),
    ];
    const { rows } = await sql<CopiedRow>`
      select ${sql.join(selected)} from ${sql.table(table)} where ${sql.join(conditions, sql` and `)}
      order by ${sql.join(order.map(({ name }) => sql.ref(name)))} limit ${limit}`.execute(tx);
    const last = rows.at(-1);
    const next = last && rows.length === limit ? order.map((_, index) => String(last[cursorName(index)])) : undefined;
    for (const row of rows) for (const index of order.keys()) delete row[cursorName(index)];
    return { rows, next };
  };
  return kind === 'platform' ? withPlatform(db, read) : read(db);
}

const cursorName = (index: number): string => `_after_${index}`;

/** The names that the numbers in rows stand for. */
export interface Names {
  users: ReadonlyMap<number, string>;
  books: ReadonlyMap<number, string>;
  classes: ReadonlyMap<number, string>;
  tags: ReadonlyMap<number, string>;
}

const toMap = (rows: readonly { id: number; name: string }[]): Map<number, string> =>
  new Map(rows.map(({ id, name }) => [id, name]));

/** The names of users, books, classes and tags that rows of this school refer to. */
export async function nameReferences(
  db: SchoolDb,
  ids: Readonly<Record<keyof Names, readonly number[]>>,
): Promise<Names> {
  const ofSchool = async (table: 'classes' | 'pupil_tags', some: readonly number[]) => {
    if (some.length === 0) return new Map<number, string>();
    const { rows } = await sql<{ id: number; name: string }>`
      select id, name from ${sql.table(table)} where school_id = ${db.schoolId} and ${inIds('id', some)}`.execute(
      db.tx,
    );
    return toMap(rows);
  };
  const books =
    ids.books.length === 0
      ? []
      : await db.tx.selectFrom('books').select(['id', 'title as name']).where(inIds('id', ids.books)).execute();
  return {
    users: await namePeople(db, ids.users),
    books: toMap(books),
    classes: await ofSchool('classes', ids.classes),
    tags: await ofSchool('pupil_tags', ids.tags),
  };
}
