import type { BodyOf } from '#contract/call.ts';
import type { Cover, coverCalls, SupplyCard } from '#contract/calls/covers.ts';
import { MAX_COVER_DAYS, MAX_COVERS } from '#contract/limits.ts';
import { hasClasses } from '#contract/permissions.ts';
import { recordChange } from '../../../audit/audit-log.queries.ts';
import { DAY_MS } from '../../../clock.ts';
import type { Config } from '../../../config.ts';
import type { StaffSession } from '../../../context.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { AppError, fieldError } from '../../../errors.ts';
import { makeQrCode } from '../../../pdf/qr-code.ts';
import { findStaffAccounts } from '../../accounts/access/access.public.ts';
import { getClassToChange, listClasses, lockClassToChange } from '../classes/classes.public.ts';
import { getSchoolRow } from '../school/school.public.ts';
import { leaveSchool } from '../teachers/teachers.public.ts';
import {
  type CoverRow,
  deleteCovers,
  findCover,
  findEndOfDay,
  insertSupplyTeacher,
  listCodes,
  listCoverRows,
  listCoversBy,
  lockCoveringMember,
  replaceCode,
  saveCover,
} from './covers.queries.ts';
import { formatCode, newCode } from './supply-code.service.ts';

/*
 * A cover ends
 * - at the time chosen: every read compares `ends_at` with the clock;
 * - when someone who can change the class ends it (`endCover`), or a second device enters the code (`use-code.service.ts`);
 * - with the class, and when the colleague leaves or gets a role without classes (`removeFromAllClasses`).
 * With the last cover a supply teacher loses their sessions at once (`findSession`), and their membership, code and account
 * within ten minutes (`covers.jobs.ts`).
 */

/** Covers with the names of their people. */
async function describeCovers(db: SchoolDb, rows: readonly CoverRow[], now: Date): Promise<Cover[]> {
  const accounts = await findStaffAccounts(
    db,
    rows.flatMap(({ user_id, given_by }) => [user_id, given_by]),
  );
  const supplyIds = rows.filter(({ role }) => role === 'supply_teacher').map(({ user_id }) => user_id);
  const codes = await listCodes(db, supplyIds, now);
  return rows.flatMap((row) => {
    const account = accounts.get(row.user_id);
    if (!account) return [];
    const giver = accounts.get(row.given_by);
    const isSupply = row.role === 'supply_teacher';
    return {
      id: row.id,
      group: { id: row.class_id, name: row.class_name },
      user: { id: account.id, first_name: account.first_name, last_name: account.last_name },
      is_supply: isSupply,
      ends_at: row.ends_at.toISOString(),
      given_by: giver ? { id: giver.id, name: `${giver.first_name} ${giver.last_name}` } : null,
      code: isSupply ? (codes.get(row.user_id) ?? 'none') : null,
    };
  });
}

/** The covers of the classes that the caller can change, by their ends. */
export async function listCovers(db: SchoolDb, me: StaffSession, now: Date): Promise<Cover[]> {
  const classes = await listClasses(db, me);
  const ids = classes.filter(({ user_manages: canChange }) => canChange).map(({ id }) => id);
  return describeCovers(db, await listCoverRows(db, ids, now), now);
}

/** The end of a cover. Throws a field error unless it is in the next days. */
function readEnd(text: string, now: Date): Date {
  const endsAt = new Date(text);
  if (endsAt <= now) throw fieldError('ends_at', 'Choose a time in the future.');
  if (endsAt.getTime() > now.getTime() + MAX_COVER_DAYS * DAY_MS)
    throw fieldError('ends_at', `Choose a time in the next ${MAX_COVER_DAYS} days.`);
  return endsAt;
}

/**
 * Lets a colleague or a supply teacher cover a class, or changes the end. Throws `class_not_found`, `class_not_managed`,
 * `teacher_not_found`, `covers_class_already` for someone who can change the class anyway, or `covers_full`.
 */
export async function startCover(
  db: SchoolDb,
  me: StaffSession,
  body: BodyOf<typeof coverCalls.startCover>,
  now: Date,
): Promise<Cover> {
  const endsAt = readEnd(body.ends_at, now);
  const { id, name, teachers } = await lockClassToChange(db, me, body.group_id);
  const covers = await listCoverRows(db, [id], now);
  const known = 'user_id' in body ? body.user_id : undefined;
  if (known !== undefined) {
    const role = await lockCoveringMember(db, known);
    const isSupply = role === 'supply_teacher' && (await listCoversBy(db, known, now)).length > 0;
    if (role === 'admin' || teachers.some((teacher) => teacher.id === known))
      throw new AppError('covers_class_already');
    if (!isSupply && (!role || !hasClasses(role))) throw new AppError('teacher_not_found');
  }
  if (covers.length >= MAX_COVERS && !covers.some(({ user_id }) => user_id === known))
    throw new AppError('covers_full');
  const userId =
    'user_id' in body
      ? body.user_id
      : await insertSupplyTeacher(db, { first_name: body.first_name, last_name: body.last_name }, now);
  const coverId = await saveCover(db, { class_id: id, user_id: userId, given_by: me.userId, ends_at: endsAt }, now);
  await recordChange(db, me, now, {
    action: 'cover_started',
    subjectKind: 'class',
    subjectId: id,
    details: { name, teacher_id: userId, until: endsAt.toISOString() },
  });
  const [cover] = await describeCovers(db, [(await findCover(db, coverId, now)) as CoverRow], now);
  return cover as Cover;
}

/** A cover of a class that the caller can change. Throws `cover_not_found` or `class_not_managed`. */
async function getCover(db: SchoolDb, me: StaffSession, coverId: number, now: Date): Promise<CoverRow> {
  const cover = await findCover(db, coverId, now);
  if (!cover) throw new AppError('cover_not_found');
  await getClassToChange(db, me, cover.class_id);
  return cover;
}

/** Ends a cover now. Throws `cover_not_found` or `class_not_managed`. */
export async function endCover(db: SchoolDb, me: StaffSession, coverId: number, now: Date): Promise<void> {
  const cover = await getCover(db, me, coverId, now);
  await removeCover(db, cover, now);
  await recordChange(db, me, now, { action: 'cover_ended', ...aboutCover(cover) });
}

/** The class and the person in an entry of the audit log about a cover. */
export const aboutCover = ({ class_id, class_name, user_id }: CoverRow) => ({
  subjectKind: 'class' as const,
  subjectId: class_id,
  details: { name: class_name, teacher_id: user_id },
});

/** Deletes a cover. A supply teacher without another one leaves the school, and is logged out. */
export async function removeCover(db: SchoolDb, cover: CoverRow, now: Date): Promise<void> {
  await deleteCovers(db, [cover.id]);
  if (cover.role !== 'supply_teacher') return;
  await lockCoveringMember(db, cover.user_id);
  if ((await listCoversBy(db, cover.user_id, now)).length === 0) await leaveSchool(db, cover.user_id, now);
}

/**
 * Makes a supply teacher's code for today, which replaces an earlier one and ends the session that began with it. Throws
 * `cover_not_found`, `class_not_managed` or `cover_of_colleague`.
 */
export async function makeSupplyCard(
  db: SchoolDb,
  me: StaffSession,
  coverId: number,
  now: Date,
  config: Config,
): Promise<SupplyCard> {
  const cover = await getCover(db, me, coverId, now);
  if (cover.role !== 'supply_teacher') throw new AppError('cover_of_colleague');
  if ((await lockCoveringMember(db, cover.user_id)) !== 'supply_teacher') throw new AppError('cover_not_found');
  const [school, endOfDay] = [await getSchoolRow(db), await findEndOfDay(db, now)];
  const account = (await findStaffAccounts(db, [cover.user_id])).get(cover.user_id);
  if (!account) throw new AppError('cover_not_found');
  const lastEnd = (await listCoversBy(db, cover.user_id, now)).at(-1)?.ends_at ?? cover.ends_at;
  const worksUntil = lastEnd < endOfDay ? lastEnd : endOfDay;
  const code = newCode();
  await replaceCode(db, cover.user_id, code, worksUntil, now);
  await recordChange(db, me, now, { action: 'cover_card_made', ...aboutCover(cover) });
  const url = `${config.publicUrl}/supply`;
  return {
    name: `${account.first_name} ${account.last_name}`,
    school: school.name,
    group: cover.class_name,
    code: formatCode(code),
    url,
    // In the fragment, which browsers send to no server.
    qr: makeQrCode(`${url}#${formatCode(code)}`),
    works_until: worksUntil.toISOString(),
  };
}
