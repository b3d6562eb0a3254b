import type { ErasureKind } from '#contract/calls/privacy.ts';
import { type Actor, NO_ACTOR, recordChange } from '../../../audit/audit-log.queries.ts';
import { listEntriesAbout } from '../../../audit/named-people.queries.ts';
import { addDays, dayIn } from '../../../clock.ts';
import type { Config } from '../../../config.ts';
import type { Database } from '../../../database/database.ts';
import {
  type Extent,
  type FormerMember,
  findFormerMember,
  listFormerSchools,
  lockFormerMember,
} from './former-staff.queries.ts';
import { inSchool, readInSchool, type SchoolDb } from '../../../database/school.ts';
import { AppError } from '../../../errors.ts';
import type { Services } from '../../../context.ts';
import { enqueue } from '../../../jobs/queue.ts';
import { digestsOf, type ListedErasure } from './erasure-list.service.ts';
import {
  deleteFormerMember,
  deleteMembership,
  deletePupil,
  lockArchivedPupil,
  recordErased,
  type Subject,
} from './erasure.queries.ts';
import { type ErasureCounts, insertErasure } from './erasure-receipts.queries.ts';

/*
 * Erasing one person. Nothing brings back what an erasure deletes, and nothing may survive it. What can go wrong:
 *
 * - The wrong person is erased. Only a pupil in the archive or a former member of staff can be. The transaction that
 *   deletes locks the rows and checks that first, so a pupil who was restored, or a member who came back or left
 *   another school, is left alone. The nightly job decides again in its next round.
 * - A table is forgotten. `tables.registry.ts` declares for every table how it refers to a pupil or a user, and the
 *   rows are deleted by it (`deleteDeclaredRows`). A table without a declaration fails a test.
 * - Another school loses its records. An account ends only if no other school has or had the person on its staff and
 *   they are no operator. Otherwise this school deletes what it stores about them (`Extent`).
 * - A text still names them. Emails, requests, invites, files of school records and reasons for support have
 *   statements of their own. The role of a school can only add to its audit log, so a job empties the entries about
 *   the person as the platform. It is enqueued in the transaction, and repeated until it succeeds.
 * - A restored backup contains them again. The receipt stores a keyed digest of the kind, the ID and the time of
 *   creation, which distinguishes a later person with the same ID. After the commit a job adds the digest to a list
 *   beside the backups, and each restore erases everyone on the list. The restore has no queue (`db.jobs`) and needs
 *   none: it reads the list, and empties the audit log itself before it erases.
 * - No one can prove it. The receipt counts the deleted rows by table and says when the last backup with them expires.
 *   Neither it nor the new entry in the audit log names the person.
 */

export const ERASURE_LIST_JOB = 'erasure-list';
/** Empties the entries of the audit log whose text is about an erased person. */
export const ERASED_DETAILS_JOB = 'erased-details';

export interface ErasedDetails {
  schoolId: number;
  kind: 'pupils' | 'users';
  id: number;
  /** The digest of the erasure, hexadecimal. */
  receipt: string;
}

/** The settings that an erasure needs: the keys of the digest, and the backups. */
export type ErasureConfig = Pick<Config, 'secretsKeys' | 'dataDir' | 'backupDir' | 'backupDays'>;

/**
 * The day on which the last nightly backup with the data is deleted: the first night in which it is older than
 * `BACKUP_DAYS`. Null without nightly backups.
 */
export const lastBackupExpiry = ({ backupDir, backupDays }: ErasureConfig, now: Date): string | null =>
  backupDir ? addDays(dayIn('Europe/London', now), backupDays + 1) : null;

/** What was erased, and how many rows of each table. */
export interface FinishedErasure {
  kind: ErasureKind;
  subject: Subject;
  counts: ErasureCounts;
}

/** Records an erasure: the receipt, and the line of the list beside the backups. */
export async function recordReceipt(
  db: SchoolDb,
  config: ErasureConfig,
  by: Actor,
  now: Date,
  { kind, subject, counts }: FinishedErasure,
): Promise<{ id: number; digest: string; backupsExpireOn: string | null }> {
  const [digest] = digestsOf(config, kind, subject);
  const backupsExpireOn = lastBackupExpiry(config, now);
  const id = await insertErasure(db, { kind, digest, counts, erasedAt: now, erasedBy: by.userId, backupsExpireOn });
  if (config.backupDir && db.jobs) {
    const listed: ListedErasure = { kind, schoolId: db.schoolId, digest: digest.toString('hex') };
    await enqueue(db, ERASURE_LIST_JOB, listed);
  }
  return { id, digest: digest.toString('hex'), backupsExpireOn };
}

/**
 * Records the erasure of a person: the receipt, the entry in the audit log, and the line of the list. Has a job empty the
 * entries of the audit log whose text is about them. Returns the ID of the receipt.
 */
async function recordErasure(
  db: SchoolDb,
  config: ErasureConfig,
  by: Actor,
  now: Date,
  { kind, subject, counts }: FinishedErasure & { kind: 'pupil' | 'staff' },
): Promise<number> {
  const isPupil = kind === 'pupil';
  const people = isPupil ? 'pupils' : 'users';
  const entries = await listEntriesAbout(db, db.schoolId, people, subject.id);
  const { id, digest } = await recordReceipt(db, config, by, now, {
    kind,
    subject,
    counts: { ...counts, audit_log: entries.length },
  });
  if (entries.length > 0 && db.jobs) {
    const erased: ErasedDetails = { schoolId: db.schoolId, kind: people, id: subject.id, receipt: digest };
    await enqueue(db, ERASED_DETAILS_JOB, erased);
  }
  await recordChange(db, by, now, {
    action: isPupil ? 'pupil_deleted' : 'account_erased',
    subjectKind: isPupil ? 'pupil' : 'user',
    subjectId: subject.id,
  });
  return id;
}

/** Erases a pupil who is in the archive. Returns the ID of the receipt. Throws `pupil_not_found`. */
export async function erasePupil(
  db: SchoolDb,
  config: ErasureConfig,
  by: Actor,
  pupilId: number,
  now: Date,
): Promise<number> {
  const subject = await lockArchivedPupil(db, pupilId);
  if (!subject) throw new AppError('pupil_not_found');
  const counts = await deletePupil(db, subject, now);
  return recordErasure(db, config, by, now, { kind: 'pupil', subject, counts });
}

/**
 * Erases a former member of staff, whose account belongs to no school, in a school's name. The account itself stays if
 * another school has the person among its former staff. Returns the ID of the receipt. Throws `teacher_not_found`.
 */
export async function eraseFormerMember(
  { database, config }: Pick<Services, 'database' | 'config'>,
  schoolId: number,
  by: Actor,
  userId: number,
  now: Date,
): Promise<number> {
  const subject = await readInSchool(database, schoolId, (db) => findFormerMember(db, userId));
  if (!subject) throw new AppError('teacher_not_found');
  return eraseAccount(database, config, { schoolId, by, subject, now });
}

/**
 * Erases someone who has left a school, in the name of every school that they left, so that the account ends. Throws
 * `teacher_not_found`.
 */
export async function eraseInEverySchool(
  services: Pick<Services, 'database' | 'config'>,
  schoolId: number,
  by: Actor,
  userId: number,
  now: Date,
): Promise<void> {
  const schoolIds = await readInSchool(services.database, schoolId, (db) => listFormerSchools(db, userId));
  for (const id of schoolIds) await eraseFormerMember(services, id, by, userId, now);
}

interface AccountErasure {
  by: Actor;
  subject: FormerMember;
  now: Date;
}

/** Erases a locked former member of staff. Returns the ID of the receipt. */
async function eraseLockedMember(
  db: SchoolDb,
  config: ErasureConfig,
  { by, subject, now }: AccountErasure,
  extent: Extent,
): Promise<number> {
  const counts = await deleteFormerMember(db, subject, extent, now);
  return recordErasure(db, config, by, now, { kind: 'staff', subject, counts });
}

/**
 * Erases a former member of staff in the name of a school that they left, and the account unless another school has or
 * had them on its staff. Returns the ID of the receipt. Throws `teacher_not_found` if the person has come back or was
 * erased meanwhile.
 * @param erasure.isAgain after a restore: the backup may be older than the membership
 */
export const eraseAccount = (
  database: Database,
  config: ErasureConfig,
  { schoolId, isAgain = false, ...erasure }: AccountErasure & { schoolId: number; isAgain?: boolean },
): Promise<number> =>
  inSchool(database, schoolId, async (db) => {
    const extent = await lockFormerMember(db, erasure.subject.id, { needsRow: !isAgain });
    if (!extent) throw new AppError('teacher_not_found');
    return eraseLockedMember(db, config, erasure, extent);
  });

/** Erases pupils of a school whose time in the archive is over, and adds them to the records of the night. */
export const eraseOverduePupils = (
  { database, config, clock }: Services,
  schoolId: number,
  pupilIds: readonly number[],
  night: string,
): Promise<void> =>
  inSchool(database, schoolId, async (db) => {
    for (const id of pupilIds) await erasePupil(db, config, NO_ACTOR, id, clock.now());
    await recordErased(db, 'pupils', night, pupilIds.length);
  });

/**
 * Ends the rows of people whose time among the former staff of a school is over, and adds them to the records of the
 * night. Accounts that no other school has or had on its staff are erased, each with a receipt.
 */
export async function eraseOverdueStaff(
  { database, config, clock }: Services,
  schoolId: number,
  userIds: readonly number[],
  night: string,
): Promise<void> {
  for (const userId of userIds) {
    const now = clock.now();
    const subject = await readInSchool(database, schoolId, (db) => findFormerMember(db, userId));
    await inSchool(database, schoolId, async (db) => {
      const extent = await lockFormerMember(db, userId, { needsRow: true });
      if (!extent || (extent === 'account' && !subject)) return;
      if (subject && extent === 'account') await eraseLockedMember(db, config, { by: NO_ACTOR, subject, now }, extent);
      else await deleteMembership(db, userId);
      await recordErased(db, 'staff', night, 1);
    });
  }
}
