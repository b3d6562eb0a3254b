import type { ErasureKind } from '#contract/calls/privacy.ts';
import { type Actor, NO_ACTOR, recordChange } from '../../audit/audit-log.queries.ts';
import { listEntriesAbout } from '../../audit/named-people.queries.ts';
import { addDays, dayIn } from '../../clock.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { inSchool, readInSchool, type SchoolDb } from '../../database/school.ts';
import { AppError } from '../../http/errors.ts';
import type { Services } from '../../http/pipeline.ts';
import { enqueue } from '../../jobs/queue.ts';
import { digestsOf, type ListedErasure } from './erasure-list.service.ts';
import {
  deleteFormerMember,
  deletePupil,
  type FormerMember,
  findFormerMember,
  lockAccountWithoutSchool,
  lockArchivedPupil,
  recordErasedPupils,
  type Subject,
} from './erasure.queries.ts';
import { type ErasureCounts, insertErasure } from './erasure-receipts.queries.ts';
import { addToRemovals } from './retention.queries.ts';

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

/** Records an erasure: the receipt, and the line of the list beside the backups. Returns the ID of the receipt. */
export async function recordReceipt(
  db: SchoolDb,
  config: ErasureConfig,
  by: Actor,
  now: Date,
  { kind, subject, counts }: { kind: ErasureKind; subject: Omit<Subject, 'name'>; counts: ErasureCounts },
): Promise<{ id: number; digest: string; backupsExpireOn: string | null }> {
  const [digest] = digestsOf(config, kind, subject);
  const backupsExpireOn = lastBackupExpiry(config, now);
  const id = await insertErasure(db, { kind, digest, counts, erasedAt: now, erasedBy: by.userId, backupsExpireOn });
  // A command that restores a backup has no queue, and read the person from the list.
  if (config.backupDir && db.jobs) {
    const listed: ListedErasure = { kind, schoolId: db.schoolId, digest: digest.toString('hex') };
    await enqueue(db, ERASURE_LIST_JOB, listed);
  }
  return { id, digest: digest.toString('hex'), backupsExpireOn };
}

/** Records the erasure of a person: the receipt, the entry in the audit log, and the line of the list. */
async function recordErasure(
  db: SchoolDb,
  config: ErasureConfig,
  by: Actor,
  now: Date,
  erasure: { kind: 'pupil' | 'staff'; subject: Subject; counts: ErasureCounts },
): Promise<number> {
  const { id } = await recordReceipt(db, config, by, now, erasure);
  const isPupil = erasure.kind === 'pupil';
  await recordChange(db, by, now, {
    action: isPupil ? 'pupil_deleted' : 'account_erased',
    subjectKind: isPupil ? 'pupil' : 'user',
    subjectId: erasure.subject.id,
  });
  return id;
}

/** Has a job empty the entries of the audit log whose text is about a person. Returns how many there are. */
async function eraseDetailsAbout(
  db: SchoolDb,
  config: ErasureConfig,
  kind: ErasedDetails['kind'],
  subject: Omit<Subject, 'name'>,
): Promise<number> {
  const entries = await listEntriesAbout(db, db.schoolId, kind, subject.id);
  const [digest] = digestsOf(config, kind === 'pupils' ? 'pupil' : 'staff', subject);
  const erased: ErasedDetails = { schoolId: db.schoolId, kind, id: subject.id, receipt: digest.toString('hex') };
  // A command that restores a backup has no queue, and has emptied the entries.
  if (entries.length > 0 && db.jobs) await enqueue(db, ERASED_DETAILS_JOB, erased);
  return entries.length;
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
  counts.audit_log = await eraseDetailsAbout(db, config, 'pupils', subject);
  return recordErasure(db, config, by, now, { kind: 'pupil', subject, counts });
}

/**
 * Erases the account of a former member of staff, who belongs to no school, in a school's name. Returns the ID of the
 * receipt. Throws `teacher_not_found`.
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

interface AccountErasure {
  schoolId: number;
  by: Actor;
  subject: FormerMember;
  now: Date;
}

/**
 * Erases an account that belongs to no school, in the name of the school that it left. Returns the ID of the receipt.
 * Throws `teacher_not_found` if the person has joined a school meanwhile.
 */
export async function eraseAccount(
  database: Database,
  config: ErasureConfig,
  { schoolId, by, subject, now }: AccountErasure,
): Promise<number> {
  return inSchool(database, schoolId, async (db) => {
    if (!(await lockAccountWithoutSchool(db, subject.id))) throw new AppError('teacher_not_found');
    const counts = await deleteFormerMember(db, subject, now);
    counts.audit_log = await eraseDetailsAbout(db, config, 'users', subject);
    return recordErasure(db, config, by, now, { kind: 'staff', subject, counts });
  });
}

/** Erases pupils of a school whose time in the archive is over, and adds them to the records of the night. */
export const eraseOverdue = (
  { database, config, clock }: Services,
  schoolId: number,
  pupilIds: readonly number[],
  night: string,
): Promise<void> =>
  inSchool(database, schoolId, async (db) => {
    for (const id of pupilIds) await erasePupil(db, config, NO_ACTOR, id, clock.now());
    await addToRemovals(db, 'pupils', night, [[schoolId, pupilIds.length]]);
    await recordErasedPupils(db, night, pupilIds.length);
  });
