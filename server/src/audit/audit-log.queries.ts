import { type AuditAction, type AuditDetails, detailKind } from '#contract/audit-details.ts';
import type { AuditEntry } from '#contract/calls/school.ts';
import { type RawBuilder, sql } from 'kysely';
import { type AuditKind, patternsOf } from '#contract/audit-kinds.ts';
import { addDays } from '../clock.ts';
import { inIds } from '../database/in-ids.ts';
import { withPlatform } from '../database/platform.ts';
import type { SchoolDb } from '../database/school.ts';
import {
  type ChangeRow,
  MAX_NAMED_PUPILS,
  namePupils,
  nameSubjects,
  pupilsOf,
  showDetails,
  teachersOf,
} from './change-names.queries.ts';
import { type NamedPeople, wordsOf } from './named-people.queries.ts';
import { findProgram, namePrograms } from './named-programs.queries.ts';

/**
 * The author of a change: a user, perhaps impersonated by an operator. Both are null for jobs, the command line and
 * guests.
 */
export interface Actor {
  userId: number | null;
  impersonatorId: number | null;
  /** The program that acts for the user. */
  program?: { id: number } | null;
}

/** The actor of changes without a user: jobs, the command line, the payment provider. */
export const NO_ACTOR: Actor = { userId: null, impersonatorId: null };

export interface Change<A extends AuditAction> {
  /** What was done, in the past tense: `pupil_renamed`. */
  action: A;
  subjectKind: 'pupil' | 'class' | 'user' | 'invite' | 'school' | 'contact' | 'subscription' | 'invoice';
  subjectId: number | string;
  /** Values for the sentence that describes the change. People are IDs, so that an erased person leaves no name. */
  details?: AuditDetails<A>;
}

/**
 * The people whom the free text in the details of a change is about, and the subject of the change; undefined without
 * free text. Throws an Error for a detail that `AUDIT_DETAILS` does not declare.
 */
async function findPeopleInText<A extends AuditAction>(
  db: SchoolDb,
  { action, subjectKind, subjectId, details = {} }: Change<A>,
): Promise<NamedPeople | undefined> {
  const texts = Object.entries(details).flatMap(([key, value]) => {
    const kind = detailKind(action, key);
    if (!kind) throw new Error(`Declare the detail ${key} of ${action} in contract/src/audit-details.ts.`);
    return kind === 'text' && typeof value === 'string' ? [value] : [];
  });
  if (texts.length === 0) return undefined;
  const { pupils, users } = await findNamedPeople(db, texts.join(' '));
  const add = (kind: Change<A>['subjectKind'], ids: number[]) =>
    subjectKind === kind ? [...new Set([...ids, Number(subjectId)])] : ids;
  return { pupils: add('pupil', pupils), users: add('user', users) };
}

/** Records a change in the school's audit log, in the transaction of the change, which also notes the entry to be sealed. */
export const recordChange = <A extends AuditAction>(
  db: SchoolDb,
  me: Actor,
  now: Date,
  change: Change<A>,
): Promise<void> => recordChanges(db, me, now, [change]);

/** Records several changes as `recordChange` does, each in an entry of its own, in this order. */
export async function recordChanges<A extends AuditAction>(
  db: SchoolDb,
  me: Actor,
  now: Date,
  changes: readonly Change<A>[],
): Promise<void> {
  if (changes.length === 0) return;
  const entries = [];
  for (const change of changes) {
    const about = await findPeopleInText(db, change);
    entries.push({
      school_id: db.schoolId,
      at: now,
      actor_user_id: me.userId,
      impersonator_user_id: me.impersonatorId,
      program_id: me.program?.id ?? null,
      action: change.action,
      subject_kind: change.subjectKind,
      subject_id: String(change.subjectId),
      details: JSON.stringify({ ...change.details, ...(about && { about }) }),
    });
  }
  const recorded = await db.tx.insertInto('audit_log').values(entries).returning('id').execute();
  await db.tx
    .insertInto('audit_pending')
    .values(recorded.map(({ id }) => ({ school_id: db.schoolId, entry_id: id })))
    .execute();
}

/** The names of people who acted in the school: staff, operators, and former staff. */
export async function namePeople(db: SchoolDb, userIds: readonly (number | null)[]): Promise<Map<number, string>> {
  const ids = [...new Set(userIds.filter((userId) => userId !== null))];
  if (ids.length === 0) return new Map();
  const rows = await withPlatform(db, ({ tx }) =>
    tx.selectFrom('users').select(['id', 'first_name', 'last_name']).where('id', 'in', ids).execute(),
  );
  return new Map(rows.map(({ id, first_name, last_name }) => [id, `${first_name} ${last_name}`]));
}

/**
 * The school's pupils, also archived ones, and current and former staff whose names share a word with a text. One word is
 * enough: an entry that is emptied too early does less harm than a name that stays.
 */
export async function findNamedPeople(db: SchoolDb, text: string): Promise<NamedPeople> {
  const words = new Set(wordsOf(text));
  const isNamed = ({ name }: { name: string }) => wordsOf(name).some((word) => words.has(word));
  const pupils = await db.tx
    .selectFrom('pupils')
    .select(['id', 'name'])
    .where('school_id', '=', db.schoolId)
    .orderBy('id')
    .execute();
  const staff = await db.tx.selectFrom('staff').select('user_id').where('school_id', '=', db.schoolId).execute();
  const names = await namePeople(
    db,
    staff.map(({ user_id }) => user_id),
  );
  const users = [...names].map(([id, name]) => ({ id, name })).sort((a, b) => a.id - b.id);
  return { pupils: pupils.filter(isNamed).map(({ id }) => id), users: users.filter(isNamed).map(({ id }) => id) };
}

/** The digests of entries' seals, which a school's own transactions cannot read. The number before gives the previous one. */
interface SealRow {
  number: number;
  entry_id: number;
  salt: Buffer | null;
  details_digest: Buffer;
  digest: Buffer;
  previous_digest: Buffer | null;
  sealed_at: Date;
}

/** The seals of entries of the school. */
export const listSealsOf = (db: SchoolDb, entryIds: readonly number[]): Promise<SealRow[]> =>
  withPlatform(db, async ({ tx }) => {
    const { rows } = await sql<SealRow>`
      select l.number, l.entry_id, l.salt, l.details_digest, l.digest, l.sealed_at,
        coalesce(p.digest, c.first_digest) as previous_digest
      from audit_seals l
      join audit_chains c on c.school_id = l.school_id
      left join audit_seals p on p.school_id = l.school_id and p.number = l.number - 1
      where l.school_id = ${db.schoolId} and ${inIds('l.entry_id', entryIds)}`.execute(tx);
    return rows;
  });

/** A search by name considers this many people of each kind. */
const MAX_FOUND_PEOPLE = 200;

export interface ChangeFilter {
  /** A user, or everything that support or programs did. */
  actor_id?: number | 'support' | 'programs' | undefined;
  kind?: AuditKind | undefined;
  /** Days in the school's time zone, both included. */
  from?: string | undefined;
  to?: string | undefined;
  search?: string | undefined;
}

const matches = (column: RawBuilder<unknown>, text: string) => sql<boolean>`strpos(lower(${column}), ${text}) > 0`;

interface FoundPeople {
  users: number[];
  pupils: number[];
  /** Invitations to an address or a name with the text, or that one of the users accepted. */
  invites: string[];
}

/** The IDs of staff and pupils whose names contain a text, which is in lower case. */
async function findPeople(db: SchoolDb, text: string): Promise<FoundPeople> {
  const pupils = await db.tx
    .selectFrom('pupils')
    .select('id')
    .where('school_id', '=', db.schoolId)
    .where(matches(sql.ref('name'), text))
    .limit(MAX_FOUND_PEOPLE)
    .execute();
  const users = await withPlatform(db, (platform) =>
    platform.tx
      .selectFrom('users')
      .innerJoin('user_schools', 'user_id', 'users.id')
      .select('users.id')
      .where('school_id', '=', db.schoolId)
      .where(matches(sql`first_name || ' ' || last_name`, text))
      .limit(MAX_FOUND_PEOPLE)
      .execute(),
  );
  const userIds = users.map(({ id }) => id);
  const invites = await db.tx
    .selectFrom('invites')
    .select('id')
    .where('school_id', '=', db.schoolId)
    .where(
      sql<boolean>`(${matches(sql.ref('email'), text)} or ${matches(sql.ref('name'), text)}
        or ${inIds('user_id', userIds)})`,
    )
    .limit(MAX_FOUND_PEOPLE)
    .execute();
  return { users: userIds, pupils: pupils.map(({ id }) => id), invites: invites.map(({ id }) => id) };
}

/** The SQL condition that an entry (`a`) has a text: in its action, its details, or the names of the people concerned. */
async function searchCondition(db: SchoolDb, search: string) {
  const text = search.trim().toLowerCase();
  const { users, pupils, invites } = await findPeople(db, text);
  const shown = sql`(a.details - array['pupils', 'about', 'teacher_id', 'teacher_ids'])::text`;
  const lists = (
    key: string,
    ids: readonly number[],
  ) => sql<boolean>`jsonb_typeof(a.details -> ${sql.lit(key)}) = 'array'
      and exists (select from unnest(${[...ids]}::bigint[]) as found where a.details -> ${sql.lit(key)} @> to_jsonb(found))`;
  return sql<boolean>`(
    ${matches(sql`replace(a.action, '_', ' ')`, text)} or ${matches(shown, text)}
    or ${inIds('a.actor_user_id', users)}
    or a.details ->> 'teacher_id' = any(${users.map(String)}::text[])
    or a.subject_kind = 'invite' and a.subject_id = any(${invites}::text[])
    or a.subject_kind = 'user' and a.subject_id = any(${users.map(String)}::text[])
    or a.subject_kind = 'pupil' and a.subject_id = any(${pupils.map(String)}::text[])
    or ${lists('pupils', pupils)} or ${lists('teacher_ids', users)})`;
}

/** The SQL condition of a filter on entries (`a`). */
async function filterCondition(db: SchoolDb, { actor_id, kind, from, to, search }: ChangeFilter) {
  const midnight = (day: string) =>
    sql`${day}::date::timestamp at time zone (select time_zone from schools where id = ${db.schoolId})`;
  const conditions = [sql<boolean>`a.school_id = ${db.schoolId}`];
  if (actor_id === 'support') conditions.push(sql`a.impersonator_user_id is not null`);
  else if (actor_id === 'programs') conditions.push(sql`a.program_id is not null`);
  else if (actor_id !== undefined) conditions.push(sql`a.actor_user_id = ${actor_id}`);
  if (kind) {
    const { has, hasNot } = patternsOf(kind);
    conditions.push(sql`a.action ~ ${has} and a.action !~ ${hasNot}`);
  }
  if (from) conditions.push(sql`a.at >= ${midnight(from)}`);
  if (to) conditions.push(sql`a.at < ${midnight(addDays(to, 1))}`);
  if (search?.trim()) conditions.push(await searchCondition(db, search));
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}

/** A page of the entries that match a filter, the latest first, and the number of entries with and without it. */
export async function listChanges(
  db: SchoolDb,
  filter: ChangeFilter,
  { page, perPage }: { page: number; perPage: number },
): Promise<{ entries: AuditEntry[]; total: number; totalFiltered: number }> {
  const condition = await filterCondition(db, filter);
  const rows = await db.tx
    .selectFrom('audit_log as a')
    .select([
      'a.id',
      'a.at',
      'a.actor_user_id',
      'a.impersonator_user_id',
      'a.program_id',
      'a.action',
      'a.subject_kind',
      'a.subject_id',
      'a.details',
    ])
    .where(condition)
    .orderBy('a.at', 'desc')
    .orderBy('a.id', 'desc')
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute();
  const { total, totalFiltered } = await db.tx
    .selectFrom('audit_log as a')
    .select([sql<number>`count(*)`.as('total'), sql<number>`count(*) filter (where ${condition})`.as('totalFiltered')])
    .where('a.school_id', '=', db.schoolId)
    .executeTakeFirstOrThrow();
  const pupilNames = await namePupils(
    db,
    rows.flatMap((row) => pupilsOf(row as ChangeRow).slice(0, MAX_NAMED_PUPILS)),
  );
  const subjects = await nameSubjects(db, rows);
  const users = await namePeople(db, [
    ...rows.flatMap((row) => [row.actor_user_id, row.impersonator_user_id, ...teachersOf(row.details)]),
    ...[...subjects.invites.values()].map(({ userId }) => userId),
  ]);
  const programs = await namePrograms(
    db,
    rows.map(({ program_id: id }) => id),
  );
  const names = { ...subjects, users };
  const person = (id: number | null) => {
    const name = id === null ? undefined : users.get(id);
    return id === null || name === undefined ? null : { id, name };
  };
  const concerned = (change: ChangeRow): AuditEntry['pupils'] => {
    const pupilIds = pupilsOf(change);
    if (pupilIds.length === 0) return null;
    return {
      total: pupilIds.length,
      first: pupilIds.slice(0, MAX_NAMED_PUPILS).map((id) => ({ id, name: pupilNames.get(id) ?? null })),
    };
  };
  return {
    total,
    totalFiltered,
    entries: rows.map(({ id, at, action, subject_kind, subject_id, details, ...row }) => ({
      id,
      at: at.toISOString(),
      actor: person(row.actor_user_id),
      impersonator: person(row.impersonator_user_id),
      program: findProgram(programs, row.program_id),
      action,
      subject_kind,
      subject_id,
      pupils: concerned({ subject_kind, subject_id, details }),
      details: showDetails({ subject_kind, subject_id, details }, names),
    })),
  };
}
