import type { Passage } from '#contract/calls/subject-requests.ts';
import { type RawBuilder, sql } from 'kysely';
import { findCopy, freeTexts } from './copies.registry.ts';
import { inIds } from '../../../database/in-ids.ts';
import type { SchoolDb } from '../../../database/school.ts';
import type { TableName } from '../../../database/table-kinds.ts';

/** A free text about a pupil, with what an admin decided about it. */
export interface FreeTextRow {
  source: TableName;
  id: number;
  text: string;
  written_by: number | null;
  written_at: Date | null;
  /** Null while undecided. */
  is_included: boolean | null;
  /** Positions of passages that are blacked out, two for each. Null while undecided. */
  blacked_out: number[] | null;
}

/** The passages of stored positions. */
export const toPassages = (positions: readonly number[]): Passage[] =>
  Array.from({ length: positions.length / 2 }, (_, index) => ({
    from: positions[2 * index] ?? 0,
    to: positions[2 * index + 1] ?? 0,
  }));

/** The SQL condition of the rows about a pupil in a table with free texts. */
function conditionOf(db: SchoolDb, table: TableName, pupilId: number): RawBuilder<unknown> {
  const condition = findCopy(table, 'pupil');
  if (typeof condition !== 'function') throw new Error(`${table} is not copied.`);
  const person = { kind: 'pupil', id: pupilId, email: null, emailKey: null } as const;
  return sql`school_id = ${db.schoolId} and ${condition(person, db.schoolId)}`;
}

/** All free texts about a pupil (`t`) with the decisions of a request (`d`). */
function textsOf(db: SchoolDb, pupilId: number, requestId: number): RawBuilder<unknown> {
  const parts = freeTexts.map(({ table, column, by, at }) => {
    const author = by === undefined ? sql`null::bigint` : sql.ref(by);
    const time = at === undefined ? sql`null::timestamptz` : sql.ref(at);
    return sql`select ${table}::text as source, id, ${sql.ref(column)} as text, ${author} as written_by, ${time} as written_at
      from ${sql.table(table)} where ${conditionOf(db, table, pupilId)} and ${sql.ref(column)} is not null`;
  });
  return sql`(${sql.join(parts, sql` union all `)}) t
    left join subject_request_texts d on d.school_id = ${db.schoolId} and d.request_id = ${requestId}
      and d.table_name = t.source and d.row_id = t.id`;
}

/** A page of the free texts about a pupil, the latest first. */
export async function listTexts(
  db: SchoolDb,
  pupilId: number,
  requestId: number,
  { limit, offset }: { limit: number; offset: number },
): Promise<FreeTextRow[]> {
  const { rows } = await sql<FreeTextRow>`
    select t.*, d.is_included, d.blacked_out from ${textsOf(db, pupilId, requestId)}
    order by t.written_at desc nulls last, t.source, t.id desc limit ${limit} offset ${offset}`.execute(db.tx);
  return rows;
}

export interface TextCounts {
  total: number;
  undecided: number;
  blacked_out: number;
}
export const NO_TEXTS: TextCounts = { total: 0, undecided: 0, blacked_out: 0 };

/** How many free texts about a pupil there are, how many are undecided, and in how many words are blacked out. */
export async function countTexts(db: SchoolDb, pupilId: number, requestId: number): Promise<TextCounts> {
  const { rows } = await sql<TextCounts>`
    select count(*) as total, count(*) filter (where d.is_included is null) as undecided,
      count(*) filter (where cardinality(d.blacked_out) > 0) as blacked_out
    from ${textsOf(db, pupilId, requestId)}`.execute(db.tx);
  return rows[0] ?? NO_TEXTS;
}

/** A free text about a pupil. */
export async function findText(db: SchoolDb, pupilId: number, source: string, id: number): Promise<string | undefined> {
  const found = freeTexts.find(({ table }) => table === source);
  if (!found) return undefined;
  const { rows } = await sql<{ text: string }>`
    select ${sql.ref(found.column)} as text from ${sql.table(found.table)} where ${conditionOf(db, found.table, pupilId)}
      and id = ${id} and ${sql.ref(found.column)} is not null`.execute(db.tx);
  return rows[0]?.text;
}

/** Stores a decision, or changes it. Without passages, those of before stay. */
export async function saveDecision(
  db: SchoolDb,
  requestId: number,
  {
    source,
    id,
    ...decision
  }: { source: string; id: number; isIncluded: boolean; passages: readonly Passage[] | undefined },
  userId: number,
  now: Date,
): Promise<void> {
  const decided = {
    is_included: decision.isIncluded,
    ...(decision.passages && { blacked_out: decision.passages.flatMap(({ from, to }) => [from, to]) }),
    decided_by: userId,
    decided_at: now,
  };
  await db.tx
    .insertInto('subject_request_texts')
    .values({ school_id: db.schoolId, request_id: requestId, table_name: source, row_id: id, ...decided })
    .onConflict((conflict) =>
      conflict.columns(['school_id', 'request_id', 'table_name', 'row_id']).doUpdateSet(decided),
    )
    .execute();
}

/** The decisions about rows of a table. Undecided rows are missing. */
export async function findDecisions(
  db: SchoolDb,
  requestId: number,
  table: TableName,
  rowIds: readonly number[],
): Promise<Map<number, { isIncluded: boolean; passages: Passage[] }>> {
  const rows = await db.tx
    .selectFrom('subject_request_texts')
    .select(['row_id', 'is_included', 'blacked_out'])
    .where('school_id', '=', db.schoolId)
    .where('request_id', '=', requestId)
    .where('table_name', '=', table)
    .where(inIds('row_id', rowIds))
    .execute();
  return new Map(
    rows.map((row) => [row.row_id, { isIncluded: row.is_included, passages: toPassages(row.blacked_out) }]),
  );
}

/** The names of all other pupils of the school, current and in the archive, and of those who asked for a copy about this one. */
export async function listOtherNames(db: SchoolDb, pupilId: number): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from pupils where school_id = ${db.schoolId} and id <> ${pupilId}
    union all
    select requester_name from subject_requests
    where school_id = ${db.schoolId} and pupil_id = ${pupilId} and requester_name is not null`.execute(db.tx);
  return rows.map(({ name }) => name);
}
