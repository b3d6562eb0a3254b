import type { AuditEntry } from '#contract/calls/school.ts';
import { sql } from 'kysely';
import { deleteBatch } from '../database/batches.ts';
import { inIds } from '../database/in-ids.ts';
import { withPlatform } from '../database/platform.ts';
import type { PlatformDb } from '../database/platform-db.ts';
import type { SchoolDb } from '../database/school.ts';

/** Who made a change: a user, perhaps impersonated by an operator. Both are null for jobs, the command line and guests. */
export interface Actor {
  userId: number | null;
  impersonatorId: number | null;
}

/** The actor of changes without a user: jobs, the command line, the payment provider. */
export const NO_ACTOR: Actor = { userId: null, impersonatorId: null };

interface Change {
  /** What was done, in the past tense: `pupil_renamed`. */
  action: string;
  subjectKind: 'pupil' | 'class' | 'user' | 'invite' | 'school' | 'contact' | 'subscription' | 'invoice';
  subjectId: number | string;
  /** What else the words need. Never a pupil's name: a deleted pupil must be gone. `pupils`: ids of those concerned. */
  details?: { pupils?: readonly number[] | number; [key: string]: unknown };
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

/** Names of those who acted here: staff, operators, and people who have left. */
async function nameActors(db: PlatformDb, userIds: readonly (number | null)[]): Promise<Map<number, string>> {
  const ids = userIds.filter((userId) => userId !== null);
  if (ids.length === 0) return new Map();
  const rows = await db.tx
    .selectFrom('users')
    .select(['id', 'first_name', 'last_name'])
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map(({ id, first_name, last_name }) => [id, `${first_name} ${last_name}`]));
}

interface ChangeRow {
  subject_kind: string;
  subject_id: string | null;
  details: object;
}

/** Ids of the pupils whom a change concerned. */
function pupilsOf({ subject_kind, subject_id, details }: ChangeRow): number[] {
  if (subject_kind === 'pupil') return [Number(subject_id)];
  return 'pupils' in details && Array.isArray(details.pupils) ? (details.pupils as number[]) : [];
}

/** Of the pupils concerned by a change, how many are named. */
const NAMED = 3;

/** The present names of pupils; those who were deleted have none. */
async function namePupils(db: SchoolDb, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.tx
    .selectFrom('pupils')
    .select(['id', 'name'])
    .where('school_id', '=', db.schoolId)
    .where(inIds('id', ids))
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** What of the details is shown as it is. */
function withoutPupils(details: object): Record<string, unknown> {
  if (!('pupils' in details) || !Array.isArray(details.pupils)) return details as Record<string, unknown>;
  const { pupils: _, ...rest } = details;
  return rest;
}

/** Deletes a batch of the entries made before a moment, in all schools. Returns the number deleted. */
export const deleteOldChanges = (db: PlatformDb, before: Date): Promise<number> =>
  deleteBatch(db, 'audit_log', ['school_id', 'id'], sql`at <= ${before}`);

/** A page of the audit log, the latest first, and how long the log is. */
export async function listChanges(
  db: SchoolDb,
  page: number,
  perPage: number,
): Promise<{ entries: AuditEntry[]; total: number }> {
  const rows = await db.tx
    .selectFrom('audit_log as a')
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
  const pupilNames = await namePupils(
    db,
    rows.flatMap((row) => pupilsOf(row as ChangeRow).slice(0, NAMED)),
  );
  const ids = rows.flatMap((row) => [row.actor_user_id, row.impersonator_user_id]);
  const names = await withPlatform(db, (platform) => nameActors(platform, ids));
  const person = (id: number | null) => {
    const name = id === null ? undefined : names.get(id);
    return id === null || name === undefined ? null : { id, name };
  };
  const concerned = (change: ChangeRow): AuditEntry['pupils'] => {
    const pupilIds = pupilsOf(change);
    if (pupilIds.length === 0) return null;
    return {
      total: pupilIds.length,
      first: pupilIds.slice(0, NAMED).map((id) => ({ id, name: pupilNames.get(id) ?? null })),
    };
  };
  return {
    total,
    entries: rows.map(({ id, at, action, subject_kind, subject_id, details, ...row }) => ({
      id,
      at: at.toISOString(),
      actor: person(row.actor_user_id),
      impersonator: person(row.impersonator_user_id),
      action,
      subject_kind,
      subject_id,
      pupils: concerned({ subject_kind, subject_id, details }),
      details: withoutPupils(details),
    })),
  };
}
