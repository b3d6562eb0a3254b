import { statedSince, type YearGroup } from '#contract/year-group.ts';
import { sql } from 'kysely';
import { dayIn } from '../../../clock.ts';
import type { SchoolDb } from '../../../database/school.ts';
import type { StaffSession } from '../../../context.ts';
import { canChangePupil } from '../../school/classes/classes.public.ts';
import { nameKey } from '../../school/pupils/pupils.public.ts';
import { USERNAME_ROUNDS, usernameCandidate, usernameStem } from '../../school/login-cards/login-cards.public.ts';

/** All pupils of the school with their classes and digests, including archived ones, by ID. */
export async function listKnownPupils(db: SchoolDb, me: StaffSession) {
  const rows = await db.tx
    .selectFrom('pupils as p')
    .leftJoin('classes as c', (join) => join.on('c.school_id', '=', db.schoolId).onRef('c.id', '=', 'p.class_id'))
    .leftJoin('school_records_pupils as r', (join) =>
      join.on('r.school_id', '=', db.schoolId).onRef('r.pupil_id', '=', 'p.id'),
    )
    .select(['p.id', 'p.name', 'p.archived_at', 'c.id as class_id', 'c.name as class_name'])
    .select(['p.upn_digest', 'p.birth_digest', 'r.upn_digest as source_upn', 'r.birth_digest as source_birth'])
    .select(({ ref }) => canChangePupil(db, me, ref('p.class_id')).as('can_update'))
    .where('p.school_id', '=', db.schoolId)
    .orderBy('p.id')
    .execute();
  const toDigests = (...found: (Buffer | null)[]) =>
    found.flatMap((digest) => (digest ? [digest.toString('base64url')] : []));
  return rows.map(({ id, name, archived_at, class_id, class_name, can_update, ...row }) => ({
    id,
    name,
    group: class_id === null || class_name === null ? null : { id: class_id, name: class_name },
    can_update,
    is_archived: archived_at !== null,
    digests: {
      births: toDigests(row.birth_digest, row.source_birth),
      upns: toDigests(row.upn_digest, row.source_upn),
    },
  }));
}

/** Digests of what identifies pupils, in hexadecimal. */
export interface FoundDigests {
  pupilId: number;
  birth: string | null;
  upn: string | null;
}

/**
 * Stores what identifies pupils besides their names, if the school wishes. What a list does not have stays as it is.
 * The caller holds the school's lock.
 */
export async function keepDigests(db: SchoolDb, found: readonly FoundDigests[]): Promise<void> {
  if (found.length === 0) return;
  const given = JSON.stringify(found.map(({ pupilId, birth, upn }) => ({ pupil_id: pupilId, birth, upn })));
  await sql`
    update pupils set birth_digest = coalesce(decode(g.birth, 'hex'), birth_digest), upn_digest = coalesce(decode(g.upn, 'hex'), upn_digest)
    from jsonb_to_recordset(${given}::jsonb) as g (pupil_id bigint, birth text, upn text)
    where school_id = ${db.schoolId} and id = g.pupil_id
      and exists (select from schools where schools.id = ${db.schoolId} and keeps_import_digests)`.execute(db.tx);
}

/** Reserves the usernames that are free in the whole product and returns them. Sorted, so that concurrent requests cannot deadlock. */
async function reserveFreeUsernames(db: SchoolDb, usernames: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ username: string }>`
    insert into pupil_logins (username, school_id, pupil_id)
    select username, ${db.schoolId}::bigint, 0 from unnest(${usernames.toSorted()}::text[]) as t (username) order by username collate "C"
    on conflict (username) do nothing returning username`.execute(db.tx);
  return rows.map(({ username }) => username);
}

/**
 * Reserves a username for each name, unique in the whole product, for pupils that the same transaction creates.
 * Concurrent requests cannot deadlock: each round is sorted, and no round tries a username of another.
 */
export async function reserveUsernames(db: SchoolDb, names: readonly string[]): Promise<string[]> {
  const stems = names.map(usernameStem);
  const taken: string[] = [];
  let open = stems.map((_, index) => index);
  for (let round = 0; open.length > 0; round += 1) {
    if (round > USERNAME_ROUNDS.length + 20) throw new Error('No username is free.');
    const tries = new Map<string, number>();
    for (const index of open) {
      const candidate = usernameCandidate(stems[index] ?? '', round);
      if (!tries.has(candidate)) tries.set(candidate, index);
    }
    const done = new Set<number>();
    for (const username of await reserveFreeUsernames(db, [...tries.keys()])) {
      const index = tries.get(username) as number;
      taken[index] = username;
      done.add(index);
    }
    open = open.filter((index) => !done.has(index));
  }
  return taken;
}

interface PupilToCreate {
  name: string;
  username: string;
  passwordHash: string;
  classId: number | null;
  yearGroup?: YearGroup | null;
}

/** Creates pupils with reserved usernames and returns their IDs in the same order. */
export async function createPupilRows(db: SchoolDb, pupils: readonly PupilToCreate[], now: Date): Promise<number[]> {
  const since = statedSince(dayIn('Europe/London', now));
  const given = pupils.map(({ name, username, passwordHash, classId, yearGroup = null }) => ({
    name,
    name_key: nameKey(name),
    username,
    password_hash: passwordHash,
    class_id: classId,
    year_group: yearGroup,
    year_group_since: yearGroup && since,
  }));
  const { rows } = await sql<{ id: number; username: string }>`
    insert into pupils (school_id, name, name_key, username, password_hash, class_id, year_group, year_group_since, created_at)
    select ${db.schoolId}::bigint, name, name_key, username, password_hash, class_id, year_group, year_group_since, ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
      as g (name text, name_key text, username text, password_hash text, class_id bigint, year_group text, year_group_since date)
    returning id, username`.execute(db.tx);
  await sql`
    update pupil_logins set pupil_id = g.id
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as g (id bigint, username text)
    where pupil_logins.username = g.username and pupil_logins.school_id = ${db.schoolId}`.execute(db.tx);
  const ids = new Map(rows.map(({ id, username }) => [username, id]));
  return pupils.map(({ username }) => ids.get(username) as number);
}

/** Creates pupils with given usernames. Throws if one is taken. Returns the IDs in the same order. */
export async function createPupilsWithUsernames(
  db: SchoolDb,
  pupils: readonly PupilToCreate[],
  now: Date,
): Promise<number[]> {
  const taken = await reserveFreeUsernames(
    db,
    pupils.map(({ username }) => username),
  );
  if (taken.length < pupils.length) throw new Error('A username is in use.');
  return createPupilRows(db, pupils, now);
}
