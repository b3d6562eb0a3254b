import { sql } from 'kysely';
import { inIds } from '../database/in-ids.ts';
import type { SchoolDb } from '../database/school.ts';

/** What an entry of the audit log says that needs names. */
export interface ChangeRow {
  subject_kind: string;
  subject_id: string | null;
  details: object;
}

/** The IDs of the pupils whom a change concerned. */
export function pupilsOf({ subject_kind, subject_id, details }: ChangeRow): number[] {
  if (subject_kind === 'pupil') return [Number(subject_id)];
  return 'pupils' in details && Array.isArray(details.pupils) ? (details.pupils as number[]) : [];
}

/** How many of the pupils concerned are named. */
export const MAX_NAMED_PUPILS = 3;

/** The current names of pupils; deleted pupils have none. */
export async function namePupils(db: SchoolDb, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.tx
    .selectFrom('pupils')
    .select(['id', 'name'])
    .where('school_id', '=', db.schoolId)
    .where(inIds('id', ids))
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Names for the entries of a page. */
interface Names {
  users: Map<number, string>;
  classes: Map<number, string>;
  /** By invitation, the address, or the ID of the user who accepted it. */
  invites: Map<string, { email: string; userId: number | null }>;
}

/** The staff whom the details of a change name. */
export function teachersOf(details: object): number[] {
  if ('teacher_id' in details && typeof details.teacher_id === 'number') return [details.teacher_id];
  return 'teacher_ids' in details && Array.isArray(details.teacher_ids) ? (details.teacher_ids as number[]) : [];
}

const nameUser = ({ users }: Names, id: number): string => users.get(id) ?? `a former colleague (no. ${id})`;

/** The person whom an invitation was for; undefined when it has been deleted. */
function nameInvited(names: Names, inviteId: string | null): string | undefined {
  const { email = '', userId = null } = names.invites.get(inviteId ?? '') ?? {};
  return email || (userId === null ? undefined : nameUser(names, userId));
}

/** Details as they are shown: with the current names of people, and of the class where the details have been erased. */
export function showDetails({ subject_kind, subject_id, details }: ChangeRow, names: Names): Record<string, unknown> {
  const { about: _, teacher_id: teacher, teacher_ids: teachers, ...shown } = details as Record<string, unknown>;
  if (Array.isArray(shown.pupils)) delete shown.pupils;
  const teacherNames = teachersOf(details).map((id) => nameUser(names, id));
  if (teacher !== undefined) shown.teacher = teacherNames[0];
  if (teachers !== undefined) shown.teachers = teacherNames;
  const invited = subject_kind === 'invite' ? nameInvited(names, subject_id) : undefined;
  if (invited !== undefined) shown.invited = invited;
  const className = subject_kind === 'class' ? names.classes.get(Number(subject_id)) : undefined;
  if (className !== undefined && Object.keys(shown).length === 0) shown.name = className;
  return shown;
}

/** The current names of the classes, and the invitations, that are the subjects of entries. */
export async function nameSubjects(db: SchoolDb, rows: readonly ChangeRow[]): Promise<Omit<Names, 'users'>> {
  const idsOf = (kind: string) =>
    rows.flatMap(({ subject_kind, subject_id }) => (subject_kind === kind && subject_id ? [subject_id] : []));
  const classIds = idsOf('class').map(Number);
  const classes =
    classIds.length === 0
      ? []
      : await db.tx
          .selectFrom('classes')
          .select(['id', 'name'])
          .where('school_id', '=', db.schoolId)
          .where(inIds('id', classIds))
          .execute();
  const inviteIds = idsOf('invite');
  const invites =
    inviteIds.length === 0
      ? []
      : await db.tx
          .selectFrom('invites')
          .select(['id', 'email', 'user_id'])
          .where('school_id', '=', db.schoolId)
          .where(sql<boolean>`id::text = any(${inviteIds}::text[])`)
          .execute();
  return {
    classes: new Map(classes.map(({ id, name }) => [id, name])),
    invites: new Map(invites.map(({ id, email, user_id }) => [id, { email, userId: user_id }])),
  };
}
