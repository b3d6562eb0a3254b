import { isReadingRow } from './is-reading.ts';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { PlatformDb } from './platform-db.ts';
import type { Tables } from './tables.ts';

/** The result of checking a rule that every database of the portal must follow. */
export interface Finding {
  rule: string;
  /** What breaks the rule; empty if nothing does. */
  breaches: string[];
}

/** A longer list would not be read. */
const MAX_BREACHES = 20;

type Breaches = Promise<string[]>;

async function listBreaches(db: PlatformDb, query: RawBuilder<{ breach: string }>): Breaches {
  const { rows } = await query.execute(db.tx);
  return rows.map(({ breach }) => breach);
}

const findWrongPupilTotals = (db: PlatformDb): Breaches =>
  listBreaches(
    db,
    sql`select format('school %s', school_id) as breach from (
        select school_id, reading_level, reading_time, words_attempted, words_correct from reading_days
        union all
        select school_id, reading_level, -reading_time, -words_attempted, -words_correct from reading_sessions
        where ${isReadingRow}
      ) parts group by school_id, reading_level
      having least(sum(reading_time), sum(words_attempted), sum(words_correct)) < 0
        or greatest(sum(reading_time), sum(words_attempted), sum(words_correct)) > 0 and not exists (
          -- The school retains daily totals for longer than sessions.
          select from retention_periods r where r.school_id = parts.school_id and r.table_name = 'reading_sessions')
      order by school_id limit ${MAX_BREACHES}`,
  );

const findWrongSchoolTotals = (db: PlatformDb): Breaches =>
  listBreaches(
    db,
    sql`select format('school %s on %s', school_id, day) as breach from (
        select school_id, day, reading_level, reading_time, words_attempted, words_correct from school_reading_days
        union all
        select school_id, day, reading_level, -reading_time, -words_attempted, -words_correct from reading_days d
        where not exists (
          select from pupils p where p.school_id = d.school_id and p.id = d.pupil_id and p.archived_at is not null)
      ) parts group by school_id, day, reading_level
      having sum(reading_time) <> 0 or sum(words_attempted) <> 0 or sum(words_correct) <> 0
      order by school_id, day limit ${MAX_BREACHES}`,
  );

const findSchoolsWithoutAdmin = (db: PlatformDb): Breaches =>
  listBreaches(
    db,
    sql`select format('school %s', id) as breach from schools s
      where not exists (select from staff m where m.school_id = s.id and m.role = 'admin')
        and not exists (select from erasures e where e.school_id = s.id and e.kind = 'school') order by id limit ${MAX_BREACHES}`,
  );

/** Numbers are platform rows and documents are school rows, so they are not joined. */
const findGaps =
  (kind: 'invoice' | 'credit_note', table: 'invoices' | 'credit_notes') =>
  async (db: PlatformDb): Breaches => {
    const { rows: numbers } = await sql<{ last: number; missing: number }>`
      select last, (select coalesce(sum(m.last - m.first + 1), 0) from missing_document_numbers m where m.kind = n.kind) as missing
      from document_numbers n where kind = ${kind}`.execute(db.tx);
    const { last, missing } = numbers[0]!;
    const { rows } = await sql<{ all: number; different: number }>`
      select count(number) as all, count(distinct number) as different from ${sql.table(table)}`.execute(db.tx);
    const { all, different } = rows[0] ?? { all: 0, different: 0 };
    return all + missing === last && different === all
      ? []
      : [`${all} of them, ${different} numbers, ${missing} known to be missing, the last given is ${last}`];
  };

/** By school: the number of usernames and a checksum of them. */
async function sumUsernames(
  db: PlatformDb,
  table: 'pupils' | 'pupil_logins',
  id: string,
): Promise<Map<number, string>> {
  const { rows } = await sql<{ school_id: number; sum: string }>`
    select school_id, count(*) || '/' || sum(hashtext(username)::bigint * ${sql.ref(id)}) as sum
    from ${sql.table(table)} group by school_id`.execute(db.tx);
  return new Map(rows.map(({ school_id, sum }) => [school_id, sum]));
}

async function findWrongLogins(db: PlatformDb): Breaches {
  const pupils = await sumUsernames(db, 'pupils', 'id');
  const logins = await sumUsernames(db, 'pupil_logins', 'pupil_id');
  return [...new Set([...pupils.keys(), ...logins.keys()])]
    .filter((school) => pupils.get(school) !== logins.get(school))
    .slice(0, MAX_BREACHES)
    .map((school) => `school ${school}`);
}

const RULES: Record<string, (db: PlatformDb) => Breaches> = {
  "each school's reading sessions add up to its pupils' daily totals": findWrongPupilTotals,
  "each school's daily totals are those of its pupils, but for the archive": findWrongSchoolTotals,
  'each school has an admin, unless it was erased': findSchoolsWithoutAdmin,
  'invoices are numbered without gaps, but for those that a restore lost': findGaps('invoice', 'invoices'),
  'credit notes are numbered without gaps, but for those that a restore lost': findGaps('credit_note', 'credit_notes'),
  'each pupil has one login': findWrongLogins,
};

/** Checks the rules across the whole database. Reads every reading session, so it is for tools and not for requests. */
export async function checkInvariants(db: PlatformDb): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [rule, findBreaches] of Object.entries(RULES)) findings.push({ rule, breaches: await findBreaches(db) });
  return findings;
}

/** The size of a database, for the user who restored it. */
export async function countEverything(db: PlatformDb): Promise<{ schools: number; pupils: number; sessions: number }> {
  const { rows } = await sql<{ schools: number; pupils: number; sessions: number }>`
    select (select count(*) from schools) as schools, (select count(*) from pupils) as pupils,
      (select count(*) from reading_sessions) as sessions`.execute(db.tx);
  return rows[0] as { schools: number; pupils: number; sessions: number };
}

/** The number of rows of each of these tables, whose names are quoted. */
export async function countRows(db: Kysely<Tables>, tables: readonly string[]): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const name of tables) {
    const { rows } = await sql.raw<{ count: number }>(`select count(*) as count from ${name}`).execute(db);
    counts.set(name, rows[0]?.count ?? 0);
  }
  return counts;
}

/** The tables of a database except PostgreSQL's own. Only a database without any can be restored to. */
export async function listTables(db: PlatformDb): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select format('%s.%s', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg\\_%'
    order by 1 limit ${MAX_BREACHES}`.execute(db.tx);
  return rows.map(({ name }) => name);
}
