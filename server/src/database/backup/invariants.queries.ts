import { sql } from 'kysely';
import type { PlatformDb } from '../platform.ts';

/** Something that must hold in every database of the portal. */
export interface Finding {
  rule: string;
  /** What breaks it; none where it holds. */
  breaches: string[];
}

/** Breaches that are named; nobody reads more. */
const MOST = 20;

type Rule = readonly [rule: string, find: ReturnType<typeof sql<{ breach: string }>>];

const RULES: readonly Rule[] = [
  [
    "each school's reading sessions add up to its pupils' daily totals",
    sql<{ breach: string }>`
      select format('school %s', school_id) as breach from (
        select school_id, reading_level, reading_time, words_attempted, words_correct from reading_days
        union all
        select school_id, reading_level, -reading_time, -words_attempted, -words_correct from reading_sessions
      ) parts group by school_id, reading_level
      having sum(reading_time) <> 0 or sum(words_attempted) <> 0 or sum(words_correct) <> 0
      order by school_id limit ${MOST}`,
  ],
  [
    "each school's daily totals are those of its pupils, but for the archive",
    sql<{ breach: string }>`
      select format('school %s on %s', school_id, day) as breach from (
        select school_id, day, reading_level, reading_time, words_attempted, words_correct from school_reading_days
        union all
        select school_id, day, reading_level, -reading_time, -words_attempted, -words_correct from reading_days d
        where not exists (
          select from pupils p where p.school_id = d.school_id and p.id = d.pupil_id and p.archived_at is not null)
      ) parts group by school_id, day, reading_level
      having sum(reading_time) <> 0 or sum(words_attempted) <> 0 or sum(words_correct) <> 0
      order by school_id, day limit ${MOST}`,
  ],
  [
    'each school has an admin',
    sql<{ breach: string }>`
      select format('school %s', id) as breach from schools s
      where not exists (select from staff m where m.school_id = s.id and m.role = 'admin')
      order by id limit ${MOST}`,
  ],
  [
    'invoices are numbered without gaps',
    sql<{ breach: string }>`
      select format('%s invoices, the last number given is %s', count(i.number), n.last) as breach
      from document_numbers n left join invoices i on true where n.kind = 'invoice' group by n.last
      having count(distinct i.number) <> n.last`,
  ],
  [
    'credit notes are numbered without gaps',
    sql<{ breach: string }>`
      select format('%s credit notes, the last number given is %s', count(i.number), n.last) as breach
      from document_numbers n left join credit_notes i on true where n.kind = 'credit_note' group by n.last
      having count(distinct i.number) <> n.last`,
  ],
  [
    'each pupil has one login',
    sql<{ breach: string }>`
      select format('school %s', school_id) as breach from (
        select school_id, id as pupil_id, username, 1 as n from pupils
        union all select school_id, pupil_id, username, -1 from pupil_logins
      ) parts group by school_id, pupil_id, username having sum(n) <> 0 order by school_id limit ${MOST}`,
  ],
];

/** Looks at what must hold across the whole database. It reads every reading session: for tools, not for requests. */
export async function checkInvariants(db: PlatformDb): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [rule, find] of RULES) {
    const { rows } = await find.execute(db.tx);
    findings.push({ rule, breaches: rows.map(({ breach }) => breach) });
  }
  return findings;
}

/** How much a database holds, for the person who restored it. */
export async function countEverything(db: PlatformDb): Promise<{ schools: number; pupils: number; sessions: number }> {
  const { rows } = await sql<{ schools: number; pupils: number; sessions: number }>`
    select (select count(*) from schools) as schools, (select count(*) from pupils) as pupils,
      (select count(*) from reading_sessions) as sessions`.execute(db.tx);
  return rows[0] as { schools: number; pupils: number; sessions: number };
}

/** The tables in a database that are not PostgreSQL's own: none where something may be restored. */
export async function listTables(db: PlatformDb): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select format('%s.%s', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg\\_%'
    order by 1 limit ${MOST}`.execute(db.tx);
  return rows.map(({ name }) => name);
}
