import type { AuditEntry } from '#contract/calls/school.ts';
import { sql } from 'kysely';
import type { PlatformDb } from '../database/platform.ts';
import { leaveSchool, type SchoolDb } from '../database/school.ts';

/** Who did it: a person, behind them perhaps an operator; nobody known for a guest with a link. */
interface Actor {
  userId: number | null;
  impersonatorId: number | null;
}

interface Change {
  /** What was done, in the past tense: `pupil_renamed`. */
  action: string;
  subjectKind: 'pupil' | 'class' | 'user' | 'invite' | 'school' | 'contact' | 'subscription';
  subjectId: number | string;
  details?: object;
}

/** Writes who changed what into the school's audit log, in the transaction of the change. */
export async function recordChange(db: SchoolDb, me: Actor, now: Date, change: Change): Promise<void> {
  await db.tx
    .insertInto('audit_log')
    .values({
      school_id: db.schoolId,
      at: now,
      actor_user_id: me.userId,
      impersonator_user_id: me.impersonatorId,
      action: change.action,
      subject_kind: change.subjectKind,
      subject_id: String(change.subjectId),
      details: JSON.stringify(change.details ?? {}),
    })
    .execute();
}

const nameOf = (user: string) =>
  sql<string | null>`${sql.ref(`${user}.first_name`)} || ' ' || ${sql.ref(`${user}.last_name`)}`;

/** Names of those who acted here and are not of the school's staff: operators, and people who have left. */
async function nameOutsiders(db: PlatformDb, userIds: readonly (number | null)[]): Promise<Map<number, string>> {
  const ids = userIds.filter((userId) => userId !== null);
  if (ids.length === 0) return new Map();
  const rows = await db.tx
    .selectFrom('users')
    .select(['id', 'first_name', 'last_name'])
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map(({ id, first_name, last_name }) => [id, `${first_name} ${last_name}`]));
}

/** A page of the audit log, the latest first, and how long the log is. */
export async function listChanges(
  db: SchoolDb,
  page: number,
  perPage: number,
): Promise<{ entries: AuditEntry[]; total: number }> {
  const rows = await db.tx
    .selectFrom('audit_log as a')
    .leftJoin('users as u', 'u.id', 'a.actor_user_id')
    .leftJoin('users as o', 'o.id', 'a.impersonator_user_id')
    .select([
      'a.id',
      'a.at',
      'a.actor_user_id',
      'a.impersonator_user_id',
      'a.action',
      'a.subject_kind',
      'a.subject_id',
      'a.details',
    ])
    .select([nameOf('u').as('actor_name'), nameOf('o').as('impersonator_name')])
    .where('a.school_id', '=', db.schoolId)
    .orderBy('a.at', 'desc')
    .orderBy('a.id', 'desc')
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute();
  const { total } = await db.tx
    .selectFrom('audit_log')
    .select(sql<number>`count(*)`.as('total'))
    .where('school_id', '=', db.schoolId)
    .executeTakeFirstOrThrow();
  const outsiders = await nameOutsiders(
    await leaveSchool(db),
    rows.flatMap((row) => [
      row.actor_name === null ? row.actor_user_id : null,
      row.impersonator_name === null ? row.impersonator_user_id : null,
    ]),
  );
  const person = (id: number | null, name: string | null) => {
    const known = id === null ? undefined : (name ?? outsiders.get(id));
    return id === null || known === undefined ? null : { id, name: known };
  };
  return {
    total,
    entries: rows.map(({ id, at, action, subject_kind, subject_id, details, ...row }) => ({
      id,
      at: at.toISOString(),
      actor: person(row.actor_user_id, row.actor_name),
      impersonator: person(row.impersonator_user_id, row.impersonator_name),
      action,
      subject_kind,
      subject_id,
      details: details as Record<string, unknown>,
    })),
  };
}
